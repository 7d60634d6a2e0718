package hostctl

import (
	"context"
	"log/slog"

	"lull/hostctl/actor"
)

// mover ends tasks that the primary leaves no CPU where another host has a free slot for them, and
// no others: a task that waits here keeps the work that it has done. The slotter knows the other
// hosts. Where it does not answer, nothing ends.
type mover struct {
	movable func(ctx context.Context) ([]uint64, error) // attempts that another host could run now
	report  func(any)
	logger  *slog.Logger
	wanted  chan actor.Relieve // holds the wish that is being looked into
}

func newMover(movable func(context.Context) ([]uint64, error), report func(any), logger *slog.Logger) *mover {
	return &mover{movable: movable, report: report, logger: logger, wanted: make(chan actor.Relieve, 1)}
}

// move asks for the end of a task that could run elsewhere. It does not wait. The guard repeats its
// wish each second, so one that comes while another is looked into is dropped.
func (m *mover) move(r actor.Relieve) {
	select {
	case m.wanted <- r:
	default:
	}
}

// run carries out wishes until ctx ends.
func (m *mover) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case r := <-m.wanted:
			m.relieve(ctx, r)
		}
	}
}

// relieve reports the wish with the attempts that could run elsewhere, if there are any.
func (m *mover) relieve(ctx context.Context, r actor.Relieve) {
	attempts, err := m.movable(ctx)
	switch {
	case err != nil:
		m.logger.Debug("the slotter does not say which tasks other hosts have room for: none is evicted for CPU", "error", err)
	case len(attempts) > 0:
		r.Among = attempts
		r.Why += "; another host has room for the task"
		m.report(r)
	}
}
