package tracking

import (
	"iter"

	"lull/slotter/facts"
	"lull/slotter/pacing"
	"lull/slotter/queues"
	"lull/subjects/ledger"
)

// pacedPool is what the pacer sees of the slotter.
type pacedPool struct{ t *Tracker }

var _ pacing.Pool = pacedPool{}

// NewPacer returns the pacer of the jobs that rounds look at.
func NewPacer(t *Tracker) *pacing.Pacer {
	return pacing.New(pacing.Config{
		Capacity: t.Config.Capacity, Borrow: max(t.Config.Borrow, 0), Margin: facts.Caution, Spare: t.Config.Preempt == facts.PreemptNone,
	}, pacedPool{t})
}

func (p pacedPool) State() *ledger.State { return p.t.Ledger }
func (p pacedPool) Queues() *queues.Set  { return p.t.Queues }
func (p pacedPool) Settle()              { p.t.Settle() }
func (p pacedPool) Cores() float64       { return p.t.Supply.Cores() }
func (p pacedPool) DecideAt(at int64)    { p.t.DecideAt(at) }

func (p pacedPool) Jobs() iter.Seq[*pacing.Job] {
	return func(yield func(*pacing.Job) bool) {
		for _, j := range p.t.Jobs.BySeq {
			if !yield(j.Pace) {
				return
			}
		}
	}
}

func (p pacedPool) JobOf(life *ledger.Job) *pacing.Job {
	if j := p.t.Jobs.Of[life]; j != nil {
		return j.Pace
	}
	return nil
}

func (p pacedPool) Running() iter.Seq2[*pacing.Job, *ledger.Attempt] {
	return func(yield func(*pacing.Job, *ledger.Attempt) bool) {
		for _, h := range p.t.Hosts.ByName {
			for i := range h.Running {
				if s := &h.Running[i]; !yield(s.Job.Pace, s.Life) {
					return
				}
			}
		}
	}
}

// MayPace reports whether jobs that compete are to be paced.
func (t *Tracker) MayPace() bool {
	switch t.Config.Pace {
	case facts.PaceOn:
		return true
	case facts.PaceAuto:
		return t.Queues.Weighted()
	}
	return false
}
