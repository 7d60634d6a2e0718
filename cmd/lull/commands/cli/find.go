package cli

import (
	"context"
	"errors"
	"strings"

	"lull/client"
	"lull/cmd/lull/exit"
	"lull/subjects/ledger"
)

// Find opens the pool and finds the job that an id, or its beginning, names.
func (to *Connection) Find(ctx context.Context, id string) (*client.Client, *client.View, *ledger.Job, error) {
	c, view, err := to.View(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	found, err := FindIn(view, id)
	if err != nil {
		c.Close()
		return nil, nil, nil, err
	}
	return c, view, found, nil
}

// FindIn finds a job in a view.
func FindIn(view *client.View, id string) (*ledger.Job, error) {
	found, err := client.Find(view.State, strings.TrimSpace(id))
	if err != nil {
		return nil, JobIDError(err)
	}
	return found, nil
}

// JobIDError returns the error of a command with an argument that names no job, or several: the user's
// mistake.
func JobIDError(err error) error {
	if errors.Is(err, client.ErrNoJob) || errors.Is(err, client.ErrSeveral) {
		return exit.With(exit.Usage, err)
	}
	return err
}
