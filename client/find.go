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
	ErrSeveral = errors.New("several jobs begin so")
)

// Find returns the job of an id, or of the beginning of one if no other job's
// id begins so.
func Find(s *ledger.State, id string) (*ledger.Job, error) {
	if j := s.Job(id); j != nil {
		return j, nil
	}
	var found []string
	for j := range s.Jobs().Backward() {
		if strings.HasPrefix(j.ID, id) {
			found = append(found, j.ID)
		}
	}
	switch {
	case len(found) == 1:
		return s.Job(found[0]), nil
	case len(found) == 0:
		return nil, fmt.Errorf("%w: %q: lull jobs lists those there are", ErrNoJob, id)
	case len(found) > 3:
		found = append(found[:3:3], "…")
	}
	return nil, fmt.Errorf("%w: %q may be %s: give more of the id", ErrSeveral, id, strings.Join(found, ", "))
}
