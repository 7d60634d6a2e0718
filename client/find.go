package client

import (
	"errors"
	"fmt"
	"strings"

	"lull/subjects/ledger"
)

// ErrNoJob says that no job's id begins with the given text, ErrSeveral that those of several jobs do.
var (
	ErrNoJob   = errors.New("no such job")
	ErrSeveral = errors.New("several jobs have ids that begin so")
)

// Find returns the job with an id, or with an id of which the given text is the beginning if there is only
// one such job. Every id begins with the empty text, but it finds none: a script in which a variable
// is not set would cancel the only job of a pool.
func Find(s *ledger.State, id string) (*ledger.Job, error) {
	if j := s.Job(id); j != nil {
		return j, nil
	}
	var alike []string
	for j := range s.Jobs().Backward() {
		if id != "" && strings.HasPrefix(j.ID, id) {
			alike = append(alike, j.ID)
		}
	}
	if len(alike) == 1 {
		return s.Job(alike[0]), nil
	}
	return nil, findError(id, alike)
}

// findError returns the error for a beginning that no id has, or several have.
func findError(id string, alike []string) error {
	if len(alike) == 0 {
		return fmt.Errorf("%w: %q: lull jobs lists those there are", ErrNoJob, id)
	}
	if len(alike) > 3 {
		alike = append(alike[:3:3], "…")
	}
	return fmt.Errorf("%w: %q may be %s: give more of the id", ErrSeveral, id, strings.Join(alike, ", "))
}
