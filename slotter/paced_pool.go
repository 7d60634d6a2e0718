package slotter

import (
	"iter"

	"lull/slotter/pacing"
	"lull/slotter/queues"
	"lull/subjects/ledger"
)

// pacedPool is what the pacer sees of the slotter.
type pacedPool struct{ t *tracker }

var _ pacing.Pool = pacedPool{}

// newPacer returns the pacer of the jobs that rounds look at.
func newPacer(t *tracker) *pacing.Pacer {
	return pacing.New(pacing.Config{
		Capacity: t.cfg.Capacity, Borrow: max(t.cfg.Borrow, 0), Margin: caution, Spare: t.cfg.Preempt == PreemptNone,
	}, pacedPool{t})
}

func (p pacedPool) State() *ledger.State { return p.t.state }
func (p pacedPool) Queues() *queues.Set  { return p.t.queues }
func (p pacedPool) Settle()              { p.t.settle() }
func (p pacedPool) Cores() float64       { return p.t.supply.Cores() }
func (p pacedPool) Look(at int64)        { p.t.decideAt(at) }

func (p pacedPool) Jobs() iter.Seq[*pacing.Job] {
	return func(yield func(*pacing.Job) bool) {
		for _, j := range p.t.jobs.bySeq {
			if !yield(j.pace) {
				return
			}
		}
	}
}

func (p pacedPool) JobOf(life *ledger.Job) *pacing.Job {
	if j := p.t.jobs.of[life]; j != nil {
		return j.pace
	}
	return nil
}

func (p pacedPool) Running() iter.Seq2[*pacing.Job, *ledger.Attempt] {
	return func(yield func(*pacing.Job, *ledger.Attempt) bool) {
		for _, h := range p.t.hosts.byName {
			for i := range h.attempts {
				if s := &h.attempts[i]; !yield(s.job.pace, s.life) {
					return
				}
			}
		}
	}
}
