package facts

import (
	"lull/subjects/ledger"
	"lull/subjects/tct"
)

// Attempt is what the slotter keeps of an attempt that runs, beside the ledger: its
// part in its job's rate, and its progress.
type Attempt struct {
	Job   *Job
	Stage *Stage // of the job
	Life  *ledger.Attempt
	Curve *tct.Curve
	Rate  Rate
	Bin   int // of residual, where it explores

	// Done is how much of the task was complete at since, as the model has it:
	// 1 is when it should be over. The primary's load changes under a task, so
	// its age alone says little.
	Done  float64
	Since int64
}

// FindAttempt finds a ledger's attempt in a list by attempt, nil if it is not there, and what
// comes behind it.
func FindAttempt(was []Attempt, at *ledger.Attempt) (*Attempt, []Attempt) {
	for len(was) > 0 && was[0].Life.ID < at.ID {
		was = was[1:]
	}
	if len(was) > 0 && was[0].Life == at {
		return &was[0], was[1:]
	}
	return nil, was
}

// leastAttempts is the number of attempts that the first allocation of a host's has room for.
const leastAttempts = 4

// Add counts an attempt in.
func (h *Host) Add(s Attempt) {
	s.Job.Rate += s.Rate
	s.Stage.flights[s.Bin]++
	if h.Running == nil {
		h.Running = make([]Attempt, 0, min(leastAttempts, h.Slots))
	}
	h.Running = append(h.Running, s)
}

// TakeAttempts takes the host's attempts but for the first ones out of all sums, and appends what they were.
func (h *Host) TakeAttempts(first int, to []Attempt) []Attempt {
	to = append(to, h.Running[first:]...)
	for i := range h.Running[first:] {
		h.Running[first+i].uncount()
	}
	clear(h.Running[first:])
	h.Running = h.Running[:first]
	return to
}

// uncount takes an attempt out of all sums.
func (at *Attempt) uncount() {
	at.Job.Rate -= at.Rate
	at.Stage.flights[at.Bin]--
}

// SetRate has the attempt go on at another rate.
func (at *Attempt) SetRate(to Rate, now int64) {
	at.Done, at.Since = at.Progress(now), now
	at.Job.Rate += to - at.Rate
	at.Rate = to
}

// Progress is how much of the task is complete.
func (at *Attempt) Progress(now int64) float64 {
	return at.Done + float64(at.Rate)*float64(max(now-at.Since, 0))/(RateUnit*1e9)
}

// ReadsOthers reports whether an attempt fetches what other stages made before it starts.
func ReadsOthers(at *ledger.Attempt) bool {
	return len(at.Job.Shape.Stages[at.Task.Stage].From) > 0
}

// MinStragglerAge is the least time that an attempt must have run to count as a straggler, in
// nanoseconds: a start that was just folded shows nothing yet.
const MinStragglerAge = int64(1e9)
