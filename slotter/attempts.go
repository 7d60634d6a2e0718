package slotter

import (
	"lull/subjects/ledger"
	"lull/subjects/tct"
)

// attempt is what the slotter keeps of an attempt that runs, beside the ledger: its
// part in its job's rate, and its progress.
type attempt struct {
	job   *job
	stage *stage // of the job
	life  *ledger.Attempt
	curve *tct.Curve
	rate  rate
	bin   int // of residual, where it explores

	// done is how much of the task was complete at since, as the model has it:
	// 1 is when it should be over. The primary's load changes under a task, so
	// its age alone says little.
	done  float64
	since int64
}

// findAttempt finds a ledger's attempt in a list by attempt, nil if it is not there, and what
// comes behind it.
func findAttempt(was []attempt, at *ledger.Attempt) (*attempt, []attempt) {
	for len(was) > 0 && was[0].life.ID < at.ID {
		was = was[1:]
	}
	if len(was) > 0 && was[0].life == at {
		return &was[0], was[1:]
	}
	return nil, was
}

// leastAttempts is the number of attempts that the first allocation of a host's has room for.
const leastAttempts = 4

// add counts an attempt in.
func (h *host) add(s attempt) {
	s.job.rate += s.rate
	s.stage.flights[s.bin]++
	if h.attempts == nil {
		h.attempts = make([]attempt, 0, min(leastAttempts, h.slots))
	}
	h.attempts = append(h.attempts, s)
}

// takeAttempts takes the host's attempts but for the first ones out of all sums, and appends what they were.
func (h *host) takeAttempts(first int, to []attempt) []attempt {
	to = append(to, h.attempts[first:]...)
	for i := range h.attempts[first:] {
		h.attempts[first+i].uncount()
	}
	clear(h.attempts[first:])
	h.attempts = h.attempts[:first]
	return to
}

// uncount takes an attempt out of all sums.
func (at *attempt) uncount() {
	at.job.rate -= at.rate
	at.stage.flights[at.bin]--
}

// setRate has the attempt go on at another rate.
func (at *attempt) setRate(to rate, now int64) {
	at.done, at.since = at.progress(now), now
	at.job.rate += to - at.rate
	at.rate = to
}

// progress is how much of the task is complete.
func (at *attempt) progress(now int64) float64 {
	return at.done + float64(at.rate)*float64(max(now-at.since, 0))/(rateUnit*1e9)
}

// readsOthers reports whether an attempt fetches what other stages made before it starts.
func readsOthers(at *ledger.Attempt) bool {
	return len(at.Job.Shape.Stages[at.Task.Stage].From) > 0
}

// youngest is the least time that an attempt must have run to count as a straggler, in
// nanoseconds: a start that was just folded shows nothing yet.
const youngest = int64(1e9)
