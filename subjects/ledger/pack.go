package ledger

import (
	"errors"
	"fmt"

	"lull/subjects"
	"lull/subjects/section"
)

// Section is the part of an actor's snapshot that holds a State.
var Section = section.Kind{Name: "ledger", Version: Version, Ways: section.Ways{
	unsectioned: nil, 8: packNamed, 9: nil,
}}

// unsectioned is the version of the last ledger that was saved without sections, and
// unsectionedOwn that of the actor's own part.
const (
	unsectioned    = 7
	unsectionedOwn = 3
)

// Unsectioned is the version (actors.Role.Version) of the services' last snapshots without
// sections, whose bytes do not include it.
const Unsectioned = unsectioned<<8 | unsectionedOwn

// packed is a snapshot without sections.
type packed struct {
	Ledger []byte `msgpack:"ledger"`
	Own    []byte `msgpack:"own,omitempty"`
}

// PackWith is the snapshot of an actor that keeps own, a pointer, beside the
// state.
func (s *State) PackWith(kind section.Kind, own any) ([]byte, error) {
	return section.Write(section.Part{Kind: Section, Form: s}, section.Part{Kind: kind, Form: own})
}

// UnpackWith returns the state of an actor's snapshot and fills own, a pointer.
// A snapshot without sections is taken to be of the version Unsectioned.
func UnpackWith(b []byte, kind section.Kind, own any) (*State, error) {
	s := New()
	err := section.Read(b, cutter(kind.Name), section.Part{Kind: Section, Form: s}, section.Part{Kind: kind, Form: own})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Unpack returns the state in the snapshot of any actor that keeps one. Version is the
// snapshot's (actors.Snapshot.Version).
func Unpack(b []byte, version int) (*State, error) {
	cut := section.Unpack
	if !section.Is(b) {
		if version != Unsectioned {
			return nil, fmt.Errorf("a snapshot without sections is of version %d, this lull reads %d", version, Unsectioned)
		}
		cut = cutter("")
	}
	list, err := cut(b)
	if err != nil {
		return nil, err
	}
	s := New()
	if err := section.Pick(list, section.Part{Kind: Section, Form: s}); err != nil {
		return nil, err
	}
	return s, nil
}

// cutter cuts a snapshot without sections into two: the ledger, and the own part of the
// actor of that name.
func cutter(name string) func([]byte) ([]section.Section, error) {
	return func(b []byte) ([]section.Section, error) {
		var p packed
		if err := subjects.Unmarshal(b, &p); err != nil {
			return nil, fmt.Errorf("a snapshot without sections: %w", err)
		}
		if len(p.Ledger) == 0 {
			return nil, errors.New("a snapshot without sections: it holds no ledger")
		}
		return []section.Section{
			{Name: Section.Name, Version: unsectioned, Body: p.Ledger},
			{Name: name, Version: unsectionedOwn, Body: p.Own},
		}, nil
	}
}
