package section

import "fmt"

// Kind describes a section that a program reads and writes.
type Kind struct {
	Name    string
	Version int // of the bytes that the program writes
	// Optional allows older readers to pass over the section.
	Optional bool
	// Ways migrate to Version from the versions that the program still reads.
	Ways Ways
}

// Ways are migrations by the version that they start from: the bytes of version
// v become those of v+1. Nil leaves the bytes as they are. A way decodes into a copy of the
// earlier form, because the program's own form changes.
type Ways map[int]func(body []byte) ([]byte, error)

// upgrade returns the section's bytes in the form of the kind's version.
func (k Kind) upgrade(s Section) ([]byte, error) {
	if s.Version > k.Version {
		return nil, fmt.Errorf("section %q is of version %d, this lull reads up to %d: %w", k.Name, s.Version, k.Version, ErrNewer)
	}
	body := s.Body
	for v := s.Version; v < k.Version; v++ {
		way, known := k.Ways[v]
		if !known {
			return nil, fmt.Errorf("section %q is of version %d, and no way leads on from version %d", k.Name, s.Version, v)
		}
		if way == nil {
			continue
		}
		var err error
		if body, err = way(body); err != nil {
			return nil, fmt.Errorf("section %q, from version %d to %d: %w", k.Name, v, v+1, err)
		}
	}
	return body, nil
}
