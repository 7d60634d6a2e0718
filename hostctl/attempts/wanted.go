package attempts

import (
	"context"
	"errors"
	"time"

	"lull/subjects"
)

// unwanted is why an attempt had to end.
func (r *run) unwanted() string {
	var evicted eviction
	if errors.As(context.Cause(r.ctx), &evicted) {
		return evicted.reason
	}
	return subjects.ReasonRevoked
}

// errUnwanted ends a commit that takes too long for an attempt that is to end.
var errUnwanted = errors.New("the attempt is not wanted any more")

// wanted ends when a commit is to: some time after its attempt was told to end, because most
// are through with it by then and their work would be lost; at once if the agent
// goes and the shim keeps the end for the next one, which commits it anew.
func (r *run) wanted(grace time.Duration) (context.Context, func()) {
	ctx, stop := context.WithCancelCause(context.Background())
	go func() {
		defer stop(errUnwanted)
		select {
		case <-r.ctx.Done():
		case <-r.left:
			return
		case <-ctx.Done():
			return
		}
		select {
		case <-time.After(grace):
		case <-r.left:
		case <-ctx.Done():
		}
	}()
	return ctx, func() { stop(errUnwanted) }
}
