package pool

import (
	"slices"

	"lull/admission/facts"
	"lull/admission/level"
	"lull/admission/span"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Running is what runs now, as of the last Refresh.
type Running struct {
	*facts.Facts
	supply *supply
	costs  *costs
	load   func(*ledger.Job) *Load // nil for a job that is not in the queue
	paced  []*Load                 // loads that ran at the last check of the promises
}

// layOut lays what runs now over the slots of the pool, each task until its
// predicted end. The paper's mode knows no tasks that run: there they count as
// whole ones that wait.
//
// It returns the loads that had running tasks when it was last called.
func (r *Running) layOut() (ran []*Load) {
	ran, r.supply.Active = r.supply.Active, nil
	for _, l := range ran {
		for i := range l.Stages {
			t := &l.Stages[i]
			t.runs, t.Until, t.rate = 0, 0, 0
		}
	}
	free := make([]span.Micros, 0, r.supply.Slots)
	for i := range r.supply.offers {
		free = append(free, r.freeTimes(&r.supply.offers[i])...)
	}
	r.supply.Seats = r.supply.Seats[:0]
	r.supply.Level, r.supply.blocking = level.New(free), longest(r.supply.Active)
	return ran
}

// longest is how long the longest of the tasks that run takes on the worst
// slot, in seconds.
func longest(active []*Load) (seconds float64) {
	for _, l := range active {
		for i := range l.Stages {
			if t := &l.Stages[i]; t.runs > 0 {
				seconds = max(seconds, float64(t.Unit.worst*t.Unit.MarginFactor)+t.Lead().Exact())
			}
		}
	}
	return seconds
}

// freeTimes returns when each of the host's slots is free. A host that offers fewer slots than are busy
// gives none away until enough tasks are done.
func (r *Running) freeTimes(o *offer) []span.Micros {
	ends := make([]span.Micros, o.Most(), o.Most()+int(o.host.Joined.Slots))
	if r.Config.Mode != subjects.ModeEq7 {
		var parts shared
		for _, at := range o.host.Attempts() {
			end := r.end(o, at)
			for range at.WholeSlots() {
				ends = append(ends, end)
			}
			if at.Part > 0 {
				parts.add(at, end)
			}
		}
		for _, lanes := range parts.lanes {
			ends = append(ends, (&Seat{Lanes: lanes}).Level())
		}
	}
	slices.Sort(ends)
	ends = ends[len(ends)-o.Most():]
	for i := range ends {
		ends[i] = r.supply.Warp.Even(ends[i])
	}
	return ends
}

// end predicts how long an attempt keeps its slots, and counts it.
func (r *Running) end(o *offer, at *ledger.Attempt) span.Micros {
	l := r.loadOf(o, at)
	if l == nil {
		return 0
	}
	t := &l.Stages[at.Task.Stage]
	_, end := r.duration(o, at, l)
	r.activate(l)
	t.runs++
	t.Until = max(t.Until, end)
	t.rate += 1 / max(float64(t.Unit.Curve.At(o.First(0))*t.Factor)+t.Fetch.seconds, pacedSeconds(at))
	return end
}

// loadOf returns the load of an attempt that keeps its slots, else nil. An attempt of an
// ended job is being stopped. An attempt in a place ahead keeps no slot yet.
func (r *Running) loadOf(o *offer, at *ledger.Attempt) *Load {
	if !at.Holds() || at.Slot >= o.host.Joined.Slots {
		return nil
	}
	if l := r.load(at.Job); l != nil && int(at.Task.Stage) < len(l.Stages) {
		r.costs.applyRefits(l)
		return l
	}
	return nil
}

// duration returns the time of an attempt in all, and what is left of it.
func (r *Running) duration(o *offer, at *ledger.Attempt, l *Load) (whole, end span.Micros) {
	t := &l.Stages[at.Task.Stage]
	u, slow := t.Unit, l.Slow(int(at.Task.Stage))
	seconds := u.Curve.At(o.First(0)) * u.MarginFactor * slow
	whole = span.Of(max(seconds, pacedSeconds(at)))
	end = left(whole, span.Since(began(at, r.Now), r.Now))
	if pacedSeconds(at) < seconds {
		end = o.Ends(u.Curve, 0, 0, u.MarginFactor*slow*float64(end)/float64(whole))
	}
	if lead := t.Lead(); lead > 0 && at.Started == 0 { // it fetches its input
		whole, end = whole+lead, min(end+left(lead, max(span.Since(at.Assigned, r.Now), 0)), span.Horizon)
	}
	return whole, end
}

// pacedSeconds returns the least time that a paced attempt takes, in seconds; 0 for one without a rate. Its
// controller keeps the rate on average, so no margin is needed.
func pacedSeconds(at *ledger.Attempt) float64 {
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

func (r *Running) activate(l *Load) {
	if !slices.ContainsFunc(l.Stages, func(t LoadStage) bool { return t.runs > 0 }) {
		r.supply.Active = append(r.supply.Active, l)
	}
}

// Measure looks at the pace of all jobs that run, and of those that did.
func (r *Running) Measure() {
	running := map[*Load]bool{}
	for _, l := range r.supply.Active {
		if running[l] = true; l.Pace == Even {
			l.Pace = &pace{Slow: 1}
		}
		rate, runs, done := 0.0, 0, 0
		for i := range l.Stages {
			rate += l.Stages[i].rate
			runs += l.Stages[i].runs
			done += l.Life.Stages[i].Done
		}
		l.Pace.observe(r.Now, rate, done)
		l.Pace.judge(runs)
	}
	for _, l := range r.paced {
		if !running[l] {
			l.Pace.rest()
		}
	}
	r.paced = append(r.paced[:0], r.supply.Active...)
}
