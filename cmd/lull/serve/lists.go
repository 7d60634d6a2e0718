package serve

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/slotter"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

const (
	// sweepEvery is how often it is looked whether task lists take too much room.
	sweepEvery = 10 * time.Minute
	// listAge is how long a list stays at least: a client puts it before the job
	// that names it.
	listAge = 24 * time.Hour
	// jobsAtOnce is how many jobs are looked at while the slotter decides nothing.
	jobsAtOnce = 500
)

// poolBus is a bus whose pool keeps task lists.
type poolBus interface {
	actors.Bus
	NewListSweeper() *jetstream.ListSweeper
}

// sweepsLists drops the task lists that no job names, while the shell leads.
func sweepsLists(lists *jetstream.ListSweeper, log *slog.Logger) func(context.Context, *actors.Shell) {
	return func(ctx context.Context, shell *actors.Shell) {
		every := time.NewTicker(sweepEvery)
		defer every.Stop()
		for {
			select {
			case <-every.C:
			case <-ctx.Done():
				return
			}
			if !shell.Leading() {
				continue
			}
			switch dropped, err := sweepLists(ctx, lists, shell, time.Now()); {
			case errors.Is(err, jetstream.ErrUnmarked) || ctx.Err() != nil:
			case err != nil:
				log.Warn("task lists that no job names were not dropped; clients may put no more when they take "+
					"all the room they may. Does the server let the slotter delete their messages? See lull permissions", "error", err)
			case dropped > 0:
				log.Info("task lists that no job names were dropped", "pieces", dropped)
			}
		}
	}
}

// sweepLists drops lists that are older than listAge, if there is need. The messages of
// the inbox that have no event yet may name lists, too, which were put listAge before the
// first of them at most.
func sweepLists(ctx context.Context, lists *jetstream.ListSweeper, shell *actors.Shell, now time.Time) (dropped int, err error) {
	due, err := lists.Due(ctx)
	if err != nil || !due {
		return 0, err
	}
	before := now.Add(-listAge)
	read, born, err := inboxOf(ctx, shell)
	if err != nil {
		return 0, err
	}
	waiting, made, err := lists.Waiting(ctx, read+1)
	if err != nil || made != born {
		return 0, err // of another inbox the numbers say nothing
	}
	if !waiting.IsZero() && waiting.Before(now) {
		before = waiting.Add(-listAge)
	}
	named, err := namedLists(ctx, shell)
	if err != nil {
		return 0, err
	}
	return lists.Sweep(ctx, named, before)
}

// inboxOf returns up to which message the log has dealt with the inbox, and with which
// inbox.
func inboxOf(ctx context.Context, shell *actors.Shell) (read uint64, born int64, err error) {
	err = shell.Inspect(ctx, func(a actors.Actor) {
		read, born = stateOf(a).Inbox, stateOf(a).InboxBorn
	})
	return read, born, err
}

// namedLists returns the sums of the lists that jobs name, read in slices. What comes
// meanwhile is still in the inbox for those who asked for it before.
func namedLists(ctx context.Context, shell *actors.Shell) (map[string]bool, error) {
	named := map[string]bool{}
	note := func(list string) {
		if sum, ok := spec.ParseListName(list); ok {
			named[sum] = true
		}
	}
	for next, more := uint64(0), true; more; more = next != 0 {
		err := shell.Inspect(ctx, func(a actors.Actor) {
			next = stateOf(a).Lists(next, jobsAtOnce, note)
		})
		if err != nil {
			return nil, err
		}
	}
	return named, nil
}

func stateOf(a actors.Actor) *ledger.State { return a.(*slotter.Actor).State() }
