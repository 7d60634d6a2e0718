package actor

import (
	"cmp"
	"slices"
	"time"

	"lull/actors"
	"lull/subjects"
)

// Pace sets the rate, in bytes/s, at which an attempt reads its input from now on.
// Rate 0 means no limit. Where a host has too little CPU for all rates, attempts of
// lower Priority are slowed first.
type Pace struct {
	Task
	Rate     float64
	Priority float64
}

// maxPaced bounds the jobs that have a pace. The slotter lifts the pace of a job
// that ends; the bound removes, oldest first, those that it did not lift.
const maxPaced = 256

// renewal is how long the pace of an earlier term holds. For the ledger it ended
// with the term. The slotter sets it again if it is still wanted, and does not lift
// it if it is not. Until then the restart of an agent should not lift any limit.
const renewal = 10 * time.Second

// pace holds the rates that the log sets for jobs on this host.
type pace struct {
	*facts
	jobs   []jobPace // the latest set last
	active bool      // a pace was set once
}

// jobPace is the pace of a job on this host.
type jobPace struct {
	job      string
	seq      uint64
	rates    []subjects.Rate
	priority float64
	until    time.Time // zero: until it is set again or lifted
}

// foldPaced sets or lifts a job's pace if the event is of the present term.
func (p *pace) foldPaced(seq uint64, e *subjects.Paced) {
	if e.Term != p.term || p.left || p.lost {
		return
	}
	p.jobs = slices.DeleteFunc(p.jobs, func(j jobPace) bool { return j.job == e.Job })
	if len(e.Rates) > 0 {
		p.jobs = append(p.jobs, jobPace{job: e.Job, seq: seq, rates: e.Rates, priority: priorityOf(e)})
	}
	if len(p.jobs) > maxPaced {
		p.jobs = slices.Delete(p.jobs, 0, 1) // the oldest
	}
	p.active = true
}

// priorityOf ranks the pace of a deadline above that of a share. All shares have one priority;
// their rates carry their sizes. If a larger share went first on a host with too little CPU for
// all, a smaller one would get less than its part: two thirds and a third would become nine to one.
func priorityOf(e *subjects.Paced) float64 {
	if e.Why == subjects.PaceDeadline {
		return 1
	}
	return 0
}

// limitToRenewal keeps the paces of earlier terms in force until renewal has passed.
func (p *pace) limitToRenewal(entry *actors.Entry) {
	for i := range p.jobs {
		if j := &p.jobs[i]; j.until.IsZero() {
			j.until = entry.Time.Add(renewal)
		}
	}
}

// setRates sends the shell the rate of each running attempt for which it changed. It
// compares states, so attempts that start later, or were adopted, get theirs too.
func (p *pace) setRates(actions []actors.Action) []actors.Action {
	if !p.active {
		return actions
	}
	now := p.now()
	p.jobs = slices.DeleteFunc(p.jobs, func(j jobPace) bool { return !j.until.IsZero() && !now.Before(j.until) })
	for _, t := range p.held {
		rate, priority := p.rateOf(t)
		if t.occupies() && (differ(rate, t.rate) || differ(priority, t.priority)) {
			t.rate, t.priority = rate, priority
			actions = append(actions, Pace{t.task(), rate, priority})
		}
	}
	return actions
}

// rateOf is the rate of an attempt in bytes/s, 0 for no limit, and its priority.
func (p *pace) rateOf(t *attempt) (rate, priority float64) {
	for _, j := range p.jobs {
		if j.job != t.job {
			continue
		}
		for _, r := range j.rates {
			if r.Stage == t.taskID.Stage {
				return r.Rate, j.priority
			}
		}
	}
	return 0, 0
}

// nextExpiry is when the first pace of an earlier term ends, zero if there is none.
func (p *pace) nextExpiry() (at time.Time) {
	for _, j := range p.jobs {
		if !j.until.IsZero() {
			at = earlier(at, j.until)
		}
	}
	return at
}

// savedPace is a jobPace in a snapshot.
type savedPace struct {
	Job      string          `msgpack:"job"`
	Seq      uint64          `msgpack:"seq"`
	Rates    []subjects.Rate `msgpack:"rates"`
	Priority float64         `msgpack:"priority,omitempty"`
	Until    int64           `msgpack:"until,omitempty"` // Unix nanoseconds
}

func (p *pace) save() (saved []savedPace) {
	for _, j := range p.jobs {
		s := savedPace{Job: j.job, Seq: j.seq, Rates: j.rates, Priority: j.priority}
		if !j.until.IsZero() {
			s.Until = j.until.UnixNano()
		}
		saved = append(saved, s)
	}
	return saved
}

func (p *pace) restore(saved []savedPace) {
	p.jobs, p.active = nil, p.active || len(saved) > 0
	for _, s := range saved {
		j := jobPace{job: s.Job, seq: s.Seq, rates: s.Rates, priority: s.Priority}
		if s.Until != 0 {
			j.until = time.Unix(0, s.Until)
		}
		p.jobs = append(p.jobs, j)
	}
	slices.SortStableFunc(p.jobs, func(a, b jobPace) int { return cmp.Compare(a.seq, b.seq) })
}
