package service

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/actors/shell"
	"lull/slotter"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

const (
	// sweepInterval is the time between checks of the space that task lists take.
	sweepInterval = 10 * time.Minute
	// listAge is the shortest time that a list is kept: a client stores it before it submits
	// the job that names it.
	listAge = 24 * time.Hour
	// jobsAtOnce bounds the jobs read in one call of Inspect, during which the slotter waits.
	jobsAtOnce = 500
)

// PoolBus is the bus of a pool with task lists.
type PoolBus interface {
	actors.Bus
	NewListSweeper() *jetstream.ListSweeper
}

// sweepListsEvery returns a function that drops task lists which no job names, every
// sweepInterval while the shell leads.
func sweepListsEvery(lists *jetstream.ListSweeper, log *slog.Logger) func(context.Context, *shell.Shell) {
	return func(ctx context.Context, slots *shell.Shell) {
		ticker := time.NewTicker(sweepInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
			case <-ctx.Done():
				return
			}
			if !slots.Leading() {
				continue
			}
			switch dropped, err := sweepLists(ctx, lists, slots, time.Now()); {
			case errors.Is(err, jetstream.ErrUnmarked) || ctx.Err() != nil:
			case err != nil:
				log.Warn("task lists that no job names could not be dropped; clients cannot put lists once the quota is full. "+
					"Check that the server lets the slotter delete messages of the stream (lull permissions)", "error", err)
			case dropped > 0:
				log.Info("task lists that no job names were dropped", "pieces", dropped)
			}
		}
	}
}

// sweepLists drops lists that are older than listAge, if they take too much room. Messages
// of the inbox without an event yet may name lists, too: those were put at most listAge
// before the first of these messages.
func sweepLists(ctx context.Context, lists *jetstream.ListSweeper, slots *shell.Shell, now time.Time) (dropped int, err error) {
	due, err := lists.Due(ctx)
	if err != nil || !due {
		return 0, err
	}
	before := now.Add(-listAge)
	read, born, err := inboxOf(ctx, slots)
	if err != nil {
		return 0, err
	}
	waiting, made, err := lists.OldestRequest(ctx, read+1)
	if err != nil || made != born {
		return 0, err // read is a sequence of another inbox
	}
	if !waiting.IsZero() && waiting.Before(now) {
		before = waiting.Add(-listAge)
	}
	named, err := namedLists(ctx, slots)
	if err != nil {
		return 0, err
	}
	return lists.Sweep(ctx, named, before)
}

// inboxOf returns the last message of the inbox for which the log has events, and the creation time of
// that inbox.
func inboxOf(ctx context.Context, slots *shell.Shell) (read uint64, born int64, err error) {
	err = slots.Inspect(ctx, func(a actors.Actor) {
		read, born = stateOf(a).Inbox, stateOf(a).InboxCreated
	})
	return read, born, err
}

// namedLists returns the sums of the lists that jobs name. It reads jobsAtOnce jobs at a time. It
// may miss a job that gets its event meanwhile. That job's message was still in the inbox when the
// caller asked for Waiting, and lists as young as that message are kept.
func namedLists(ctx context.Context, slots *shell.Shell) (map[string]bool, error) {
	named := map[string]bool{}
	note := func(list string) {
		if sum, ok := spec.ParseListName(list); ok {
			named[sum] = true
		}
	}
	for next, more := uint64(0), true; more; more = next != 0 {
		err := slots.Inspect(ctx, func(a actors.Actor) {
			next = stateOf(a).Lists(next, jobsAtOnce, note)
		})
		if err != nil {
			return nil, err
		}
	}
	return named, nil
}

func stateOf(a actors.Actor) *ledger.State { return a.(*slotter.Actor).State() }
