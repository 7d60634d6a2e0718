package pool

import (
	"slices"

	"lull/admission/level"
	"lull/admission/span"
	"lull/subjects"
	"lull/subjects/ledger"
)

// run lays what runs now over the slots of the pool, each task until its
// predicted end. The paper's mode knows no tasks that run: there they count as
// whole ones that wait.
//
// It returns the loads that had running tasks at the last look.
func (p *Pool) run() (ran []*Load) {
	ran, p.Supply.Active = p.Supply.Active, nil
	for _, l := range ran {
		for i := range l.Terms {
			t := &l.Terms[i]
			t.runs, t.Until, t.rate = 0, 0, 0
		}
	}
	free := make([]span.Micros, 0, p.Supply.Slots)
	for i := range p.Supply.offers {
		free = append(free, p.busy(&p.Supply.offers[i])...)
	}
	p.Supply.Seats = p.Supply.Seats[:0]
	p.Supply.Level, p.Supply.blocking = level.New(free), longest(p.Supply.Active)
	return ran
}

// longest is how long the longest of the tasks that run takes on the worst
// slot, in seconds.
func longest(active []*Load) (seconds float64) {
	for _, l := range active {
		for i := range l.Terms {
			if t := &l.Terms[i]; t.runs > 0 {
				seconds = max(seconds, float64(t.Unit.worst*t.Unit.Worth)+t.Lead().Exact())
			}
		}
	}
	return seconds
}

// busy is when each of the host's slots is free. A host that offers fewer
// slots than it has busy gives none away until so many are done.
func (p *Pool) busy(o *offer) []span.Micros {
	ends := make([]span.Micros, o.Most(), o.Most()+int(o.host.Joined.Slots))
	if p.Config.Mode != subjects.ModeEq7 {
		for _, at := range o.host.Attempts() {
			end := p.end(o, at)
			for range at.Width {
				ends = append(ends, end)
			}
		}
	}
	slices.Sort(ends)
	ends = ends[len(ends)-o.Most():]
	for i := range ends {
		ends[i] = p.Supply.Warp.Even(ends[i])
	}
	return ends
}

// end predicts how long an attempt keeps its slots, and counts it.
func (p *Pool) end(o *offer, at *ledger.Attempt) span.Micros {
	l := p.runs(o, at)
	if l == nil {
		return 0
	}
	t := &l.Terms[at.Task.Stage]
	_, end := p.takes(o, at, l)
	p.activate(l)
	t.runs++
	t.Until = max(t.Until, end)
	t.rate += 1 / max(float64(t.Unit.Curve.At(o.First(0))*t.Factor)+t.Fetch.seconds, told(at))
	return end
}

// runs returns the load of an attempt that keeps its slots, else nil. An attempt of an
// ended job is being stopped. An attempt in a place ahead keeps no slot yet.
func (p *Pool) runs(o *offer, at *ledger.Attempt) *Load {
	if !at.Holds() || at.Slot >= o.host.Joined.Slots {
		return nil
	}
	if l := p.Load(at.Job); l != nil && int(at.Task.Stage) < len(l.Terms) {
		p.Costs.relearnt(l)
		return l
	}
	return nil
}

// takes is the time of an attempt in all, and what is left of it.
func (p *Pool) takes(o *offer, at *ledger.Attempt, l *Load) (whole, end span.Micros) {
	t := &l.Terms[at.Task.Stage]
	u, slow := t.Unit, l.Slow(int(at.Task.Stage))
	seconds := u.Curve.At(o.First(0)) * u.Worth * slow
	whole = span.Of(max(seconds, told(at)))
	end = left(whole, span.Since(began(at, p.Now), p.Now))
	if told(at) < seconds {
		end = o.Ends(u.Curve, 0, 0, u.Worth*slow*float64(end)/float64(whole))
	}
	if lead := t.Lead(); lead > 0 && at.Started == 0 { // it fetches its input
		whole, end = whole+lead, min(end+left(lead, max(span.Since(at.Assigned, p.Now), 0)), span.Horizon)
	}
	return whole, end
}

// told returns the least time that a paced attempt takes, in seconds; 0 for one without a rate. Its
// controller keeps the rate on average, so no margin is needed.
func told(at *ledger.Attempt) float64 {
	rate := at.Rate()
	if rate <= 0 {
		return 0
	}
	return float64(at.Job.Stages[at.Task.Stage].Bytes) / rate
}

// left is what is left of a task that was to take total. One that is overdue
// is taken to need another tenth of the time it has had.
func left(total, had span.Micros) span.Micros { return max(total-had, had/10) }

// began is when an attempt's process started, as far as that is known.
func began(at *ledger.Attempt, now int64) int64 {
	if at.Started == 0 || at.Started > now {
		return now
	}
	return at.Started
}

func (p *Pool) activate(l *Load) {
	if !slices.ContainsFunc(l.Terms, func(t Term) bool { return t.runs > 0 }) {
		p.Supply.Active = append(p.Supply.Active, l)
	}
}
