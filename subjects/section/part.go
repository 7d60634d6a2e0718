package section

import (
	"fmt"
	"slices"

	"lull/subjects"
)

// Part is a section with its content: a pointer to a value for msgpack, or a Former.
type Part struct {
	Kind Kind
	Form any
}

// Former encodes and decodes itself.
type Former interface {
	Snapshot() ([]byte, error)
	Restore([]byte) error
}

// Write returns a snapshot of the parts.
func Write(parts ...Part) ([]byte, error) {
	list := make([]Section, len(parts))
	for i, p := range parts {
		body, err := p.body()
		if err != nil {
			return nil, fmt.Errorf("section %q: %w", p.Kind.Name, err)
		}
		list[i] = Section{Name: p.Kind.Name, Version: p.Kind.Version, Optional: p.Kind.Optional, Body: body}
	}
	return Pack(list)
}

func (p Part) body() ([]byte, error) {
	if former, ok := p.Form.(Former); ok {
		return former.Snapshot()
	}
	return subjects.Marshal(p.Form)
}

// Read fills the parts from a snapshot. A section without a part is ErrNewer unless it is
// optional; an optional part may be missing. A snapshot of a release without sections is
// passed to old, which cuts it into sections; a nil old refuses it.
func Read(b []byte, old func([]byte) ([]Section, error), parts ...Part) error {
	cut := Unpack
	if !Is(b) && old != nil {
		cut = old
	}
	list, err := cut(b)
	if err != nil {
		return err
	}
	for _, s := range list {
		wanted := slices.ContainsFunc(parts, func(p Part) bool { return p.Kind.Name == s.Name })
		if !wanted && !s.Optional {
			return fmt.Errorf("section %q is unknown: %w", s.Name, ErrNewer)
		}
	}
	for _, p := range parts {
		if err := p.read(list); err != nil {
			return err
		}
	}
	return nil
}

func (p Part) read(list []Section) error {
	i := slices.IndexFunc(list, func(s Section) bool { return s.Name == p.Kind.Name })
	if i < 0 && p.Kind.Optional {
		return nil
	}
	if i < 0 {
		return fmt.Errorf("section %q is missing", p.Kind.Name)
	}
	body, err := p.Kind.upgrade(list[i])
	if err != nil {
		return err
	}
	if former, ok := p.Form.(Former); ok {
		err = former.Restore(body)
	} else {
		err = subjects.Unmarshal(body, p.Form)
	}
	if err != nil {
		return fmt.Errorf("section %q: %w", p.Kind.Name, err)
	}
	return nil
}

// Pick fills one part from a list of sections and ignores the others.
func Pick(list []Section, p Part) error { return p.read(list) }
