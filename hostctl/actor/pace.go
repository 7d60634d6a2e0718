package actor

import (
	"cmp"
	"slices"
	"time"

	"lull/actors"
	"lull/subjects"
)

// Pace sets the rate, in bytes/s, at which an attempt is to read its input from
// now on; 0 lets it run as it may. Where a host has too little for all of them,
// those of lower Priority give way first.
type Pace struct {
	Task
	Rate     float64
	Priority float64
}

// maxPaced bounds the jobs whose pace is remembered. The slotter lifts the pace
// of a job that ends; a job of which it forgot that is the oldest here some day.
const maxPaced = 256

// renewal is how long the pace of an earlier term holds. For the ledger it ended
// with the term, so the slotter says it again if it is still wanted, and does not
// lift it if it is not; meanwhile an agent's restart should unleash nobody.
const renewal = 10 * time.Second

// paced is what the log says of a job's pace on this host.
type paced struct {
	job      string
	seq      uint64
	rates    []subjects.Rate
	priority float64
	until    time.Time // zero: until the next word
}

// pace folds a job's pace of the present term.
func (a *Actor) pace(seq uint64, e *subjects.Paced) {
	if e.Term != a.term || a.left || a.lost {
		return
	}
	a.paced = slices.DeleteFunc(a.paced, func(p paced) bool { return p.job == e.Job })
	if len(e.Rates) > 0 {
		a.paced = append(a.paced, paced{job: e.Job, seq: seq, rates: e.Rates, priority: priority(e)})
	}
	if len(a.paced) > maxPaced {
		a.paced = slices.Delete(a.paced, 0, 1) // the oldest: each word goes to the end
	}
	a.pacing = true
}

// priority puts what a deadline calls for above what a share gives. Shares are
// alike whatever their size, which is in their rates: where the host has too little
// for all, a larger one that went first would leave the smaller one less than its
// part, two thirds and a third would be nine to one.
func priority(e *subjects.Paced) float64 {
	if e.Why == subjects.PaceDeadline {
		return 1
	}
	return 0
}

// outlive lets what an earlier term said hold for a while.
func (a *Actor) outlive(entry *actors.Entry) {
	for i := range a.paced {
		if p := &a.paced[i]; p.until.IsZero() {
			p.until = entry.Time.Add(renewal)
		}
	}
}

// paces tells the shell how fast what runs is to go, where that has changed. It
// compares states, so that what starts later, or was adopted, is told too.
func (a *Actor) paces(actions []actors.Action) []actors.Action {
	if !a.pacing {
		return actions // nothing was ever paced here
	}
	now := a.residual.at
	a.paced = slices.DeleteFunc(a.paced, func(p paced) bool { return !p.until.IsZero() && !now.Before(p.until) })
	for _, t := range a.held {
		rate, priority := a.rate(t)
		if t.occupies() && (differ(rate, t.rate) || differ(priority, t.priority)) {
			t.rate, t.priority = rate, priority
			actions = append(actions, Pace{t.task(), rate, priority})
		}
	}
	return actions
}

// rate is what the log has an attempt read, in bytes/s; 0 for as fast as it may.
func (a *Actor) rate(t *attempt) (rate, priority float64) {
	for _, p := range a.paced {
		if p.job != t.job {
			continue
		}
		for _, r := range p.rates {
			if r.Stage == t.what.Stage {
				return r.Rate, p.priority
			}
		}
	}
	return 0, 0
}

// renewed is when the first pace of an earlier term ends, zero if there is none.
func (a *Actor) renewed() (at time.Time) {
	for _, p := range a.paced {
		if !p.until.IsZero() {
			at = sooner(at, p.until)
		}
	}
	return at
}

// savedPace is a paced in a snapshot.
type savedPace struct {
	Job      string          `msgpack:"job"`
	Seq      uint64          `msgpack:"seq"`
	Rates    []subjects.Rate `msgpack:"rates"`
	Priority float64         `msgpack:"priority,omitempty"`
	Until    int64           `msgpack:"until,omitempty"` // Unix nanoseconds
}

func (a *Actor) savePaces() (saved []savedPace) {
	for _, p := range a.paced {
		s := savedPace{Job: p.job, Seq: p.seq, Rates: p.rates, Priority: p.priority}
		if !p.until.IsZero() {
			s.Until = p.until.UnixNano()
		}
		saved = append(saved, s)
	}
	return saved
}

func (a *Actor) restorePaces(saved []savedPace) {
	a.paced, a.pacing = nil, a.pacing || len(saved) > 0
	for _, s := range saved {
		p := paced{job: s.Job, seq: s.Seq, rates: s.Rates, priority: s.Priority}
		if s.Until != 0 {
			p.until = time.Unix(0, s.Until)
		}
		a.paced = append(a.paced, p)
	}
	slices.SortStableFunc(a.paced, func(p, q paced) int { return cmp.Compare(p.seq, q.seq) })
}
