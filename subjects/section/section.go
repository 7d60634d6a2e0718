package section

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"lull/subjects"
)

// ErrNewer says that a newer version of lull wrote the bytes: neither use nor replace
// them.
var ErrNewer = errors.New("a newer version of lull wrote it; run that version")

// Section is one part of a snapshot, in bytes.
type Section struct {
	Name    string `msgpack:"name"`
	Version int    `msgpack:"version"`
	// Optional allows a reader without a kind of this name to pass over it.
	Optional bool          `msgpack:"optional,omitempty"`
	Body     subjects.View `msgpack:"body"`
}

// The beginning of a snapshot. No msgpack map begins with this letter, which
// distinguishes snapshots of releases without sections.
const (
	magic = "LULL"
	form  = 1 // form of the list that follows

	around = 64 // at most so many bytes of a section are neither its name nor its body
)

// Is reports whether the bytes are a list of sections.
func Is(b []byte) bool { return strings.HasPrefix(string(b[:min(len(b), len(magic))]), magic) }

// Pack joins sections.
func Pack(list []Section) ([]byte, error) {
	size := len(magic) + 1
	for _, l := range list {
		size += len(l.Name) + len(l.Body) + around
	}
	b, err := subjects.Append(append(append(make([]byte, 0, size), magic...), form), list)
	if err != nil {
		return nil, fmt.Errorf("pack sections: %w", err)
	}
	return b, nil
}

// Unpack is the inverse of Pack. The error is ErrNewer for a form of list that only a
// newer version reads.
func Unpack(b []byte) ([]Section, error) {
	if !Is(b) || len(b) == len(magic) {
		return nil, errors.New("unpack sections: the bytes are no list of sections")
	}
	if got := b[len(magic)]; got != form {
		return nil, fmt.Errorf("unpack sections: they are of form %d, this lull reads %d: %w", got, form, ErrNewer)
	}
	var list []Section
	if err := subjects.Unmarshal(b[len(magic)+1:], &list); err != nil {
		return nil, fmt.Errorf("unpack sections: %w", err)
	}
	for i, s := range list {
		if slices.ContainsFunc(list[:i], func(t Section) bool { return t.Name == s.Name }) {
			return nil, fmt.Errorf("unpack sections: %q is there twice", s.Name)
		}
	}
	return list, nil
}
