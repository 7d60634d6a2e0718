package client

import (
	"errors"
	"fmt"
	"strings"

	"lull/subjects/ledger"
)

// ErrNoJob says that no job goes by what was given, ErrSeveral that more than
// one does.
var (
	ErrNoJob   = errors.New("no such job")
	ErrSeveral = errors.New("several jobs have ids that begin so")
)

// Find returns the job of an id, or of the beginning of one if no other job's
// id begins so.
func Find(s *ledger.State, id string) (*ledger.Job, error) {
	if j := s.Job(id); j != nil {
		return j, nil
	}
	var alike []string
	for j := range s.Jobs().Backward() {
		if strings.HasPrefix(j.ID, id) {
			alike = append(alike, j.ID)
		}
	}
	if len(alike) == 1 {
		return s.Job(alike[0]), nil
	}
	return nil, notOne(id, alike)
}

// notOne is the error for an id with which none begins, or several.
func notOne(id string, alike []string) error {
	if len(alike) == 0 {
		return fmt.Errorf("%w: %q: lull jobs lists those there are", ErrNoJob, id)
	}
	if len(alike) > 3 {
		alike = append(alike[:3:3], "…")
	}
	return fmt.Errorf("%w: %q may be %s: give more of the id", ErrSeveral, id, strings.Join(alike, ", "))
}
