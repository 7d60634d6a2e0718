package ledger

import (
	"fmt"

	"lull/subjects"
)

// packed is the snapshot of an actor that folds a State and keeps bits of its
// own beside it.
type packed struct {
	Ledger []byte `msgpack:"ledger"`
	Own    []byte `msgpack:"own,omitempty"`
}

// Pack joins a State's snapshot with an actor's own bits, so that a reader can
// take the ledger out of any actor's snapshot.
func Pack(state, own []byte) ([]byte, error) {
	return subjects.Marshal(&packed{state, own})
}

// Unpack takes apart what Pack joined.
func Unpack(b []byte) (state, own []byte, err error) {
	var p packed
	if err := subjects.Unmarshal(b, &p); err != nil {
		return nil, nil, fmt.Errorf("unpack a snapshot: %w", err)
	}
	return p.Ledger, p.Own, nil
}

// PackWith is the snapshot of an actor that keeps own, a pointer, beside the
// state.
func (s *State) PackWith(own any) ([]byte, error) {
	state, err := s.Snapshot()
	if err != nil {
		return nil, err
	}
	rest, err := subjects.Marshal(own)
	if err != nil {
		return nil, err
	}
	return Pack(state, rest)
}

// UnpackWith returns the state of an actor's snapshot and fills own, a pointer.
func UnpackWith(b []byte, own any) (*State, error) {
	packed, rest, err := Unpack(b)
	if err != nil {
		return nil, err
	}
	s := New()
	if err := s.Restore(packed); err != nil {
		return nil, err
	}
	return s, subjects.Unmarshal(rest, own)
}
