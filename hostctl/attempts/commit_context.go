package attempts

import (
	"context"
	"errors"
	"time"

	"lull/subjects"
)

// endReason returns the reason code of the attempt's kill.
func (r *run) endReason() string {
	var evicted eviction
	if errors.As(context.Cause(r.ctx), &evicted) {
		return evicted.reason
	}
	return subjects.ReasonRevoked
}

// errUnwanted ends a commit that takes too long for an attempt that is to end.
var errUnwanted = errors.New("the attempt is not wanted any more")

// commitContext returns the context of a commit. It ends one grace after the attempt's kill: most
// commits are complete by then, and would be lost otherwise. It ends at once if the agent stops and
// the task stays: the shim keeps the end for the next agent, which commits anew.
func (r *run) commitContext(grace time.Duration) (context.Context, func()) {
	ctx, stop := context.WithCancelCause(context.Background())
	go func() {
		defer stop(errUnwanted)
		select {
		case <-r.ctx.Done():
		case <-r.agentGone:
			return
		case <-ctx.Done():
			return
		}
		select {
		case <-time.After(grace):
		case <-r.agentGone:
		case <-ctx.Done():
		}
	}()
	return ctx, func() { stop(errUnwanted) }
}
