package simulated

import (
	"math"
	"time"

	"lull/sim"
	"lull/test/papers/bound"
	"lull/test/papers/truth"
)

// slice is the length of the bound's time intervals.
const slice = 10 * time.Minute

// limit is a run's lower bound, in hours: the least total task time of any schedule of the
// committed tasks, on the same hosts under the same loads, that ends when the run ended. With due
// it also ends each job no later than the run did, or than its deadline if the run was earlier.
// Jobs without a deadline may end with the run.
func limit(s *sim.Scenario, r *sim.Result, due bool) (float64, error) {
	l := newLimits(s, r, due)
	for _, run := range r.Runs {
		if run.Outcome == "committed" {
			l.work(&run)
		}
	}
	for k := range l.intervals {
		l.intervals[k].States = states(s.Hosts, time.Duration(k)*slice, l.end(k))
	}
	seconds, err := bound.Least(l.curves, l.intervals)
	return seconds / 3600, err
}

type limits struct {
	result    *sim.Result
	due       bool
	types     map[string]int
	jobs      map[string]*sim.JobResult
	curves    []func(float64) float64
	intervals []bound.Interval
}

func newLimits(s *sim.Scenario, r *sim.Result, due bool) *limits {
	l := &limits{result: r, due: due, types: map[string]int{}, jobs: map[string]*sim.JobResult{}}
	for i := range s.Types {
		l.types[s.Types[i].Type] = i
		l.curves = append(l.curves, func(r float64) float64 { return truth.Seconds(&s.Types[i], r) })
	}
	for i := range r.Jobs {
		l.jobs[r.Jobs[i].ID] = &r.Jobs[i]
	}
	l.intervals = make([]bound.Interval, (r.End+slice-1)/slice)
	for k := range l.intervals {
		l.intervals[k].Arrived, l.intervals[k].Due = make([]float64, len(s.Types)), make([]float64, len(s.Types))
	}
	return l
}

func (l *limits) end(k int) time.Duration { return min(time.Duration(k+1)*slice, l.result.End) }

// work counts a task in all intervals that end after it had arrived or was due.
func (l *limits) work(run *sim.RunResult) {
	job, j := l.jobs[run.Job], l.types[run.Type]
	due := l.result.End
	if l.due && job.Deadline > 0 {
		due = min(max(job.Deadline, run.End), due)
	}
	for k := range l.intervals {
		if job.Submitted < l.end(k) {
			l.intervals[k].Arrived[j] += run.Factor
		}
		if due <= l.end(k) {
			l.intervals[k].Due[j] += run.Factor
		}
	}
}

// states are the host-seconds between two times, by idle cores.
func states(hosts []sim.Host, from, to time.Duration) []bound.State {
	var list []bound.State
	for i := range hosts {
		walk(&hosts[i], from, to, func(idle float64, d time.Duration) {
			list = gather(list, bound.State{Idle: idle, Slots: slots(&hosts[i]), Seconds: d.Seconds()})
		})
	}
	return list
}

func slots(h *sim.Host) int {
	if h.Slots == 0 {
		return int(h.Cores)
	}
	return int(h.Slots)
}

// walk calls do with the idle cores of each step of the host's load.
func walk(h *sim.Host, from, to time.Duration, do func(idle float64, d time.Duration)) {
	for at := from; at < to; {
		used, until := 0.0, to
		if h.Load != nil {
			used, until = h.Load.At(at)
		}
		until = min(until, to)
		do(max(float64(h.Cores)-used, 0), until-at)
		at = until
	}
}

// gather adds to the state that is the same up to rounding, if there is one.
func gather(list []bound.State, s bound.State) []bound.State {
	for i := range list {
		if list[i].Slots == s.Slots && math.Abs(list[i].Idle-s.Idle) < 1e-9 {
			list[i].Idle = max(list[i].Idle, s.Idle)
			list[i].Seconds += s.Seconds
			return list
		}
	}
	return append(list, s)
}
