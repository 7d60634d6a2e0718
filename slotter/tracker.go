package slotter

import (
	"slices"

	"lull/slotter/datanode"
	"lull/subjects/ledger"
	"lull/subjects/tct"
)

// tracker keeps what follows from the attempts of hosts: the rates of jobs, the progress of
// attempts, the pool's supply and the load of data nodes.
type tracker struct {
	*facts
	carried map[uint64]carried // progress from before a restart
	readers []datanode.Reader  // room for the next host's
}

// attempt is what the slotter keeps of an attempt that runs, beside the ledger: its
// part in its job's rate, and its progress.
type attempt struct {
	job   *job
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

// settle brings what depends on the attempts of touched hosts up to date: once a round
// instead of once an event.
func (t *tracker) settle() {
	for _, h := range t.hosts.touched {
		h.touched = false
		h.resetPlan()
		t.countAttempts(h)
		t.countReaders(h)
	}
	t.hosts.touched = t.hosts.touched[:0]
}

// countAttempts counts the host's attempts into the rates of their jobs. With each further attempt,
// all the others get a smaller part of what is idle. The host starts them in the order of the log.
// Those that come after its slots are full wait, and complete nothing. Nor does a rival: the
// attempt that holds its task is counted.
func (t *tracker) countAttempts(h *host) {
	was := t.uncountAttempts(h)
	h.brief, h.oldest = true, never
	residual, used := h.residual(0), 0
	for _, at := range h.life.Attempts() {
		used += int(at.Width)
		h.oldest = min(h.oldest, at.Assigned)
		var before *attempt
		before, was = findAttempt(was, at)
		j := t.jobOf(at, before)
		if j == nil || !at.Holds() {
			h.brief = false
			continue
		}
		curve := j.stages[at.Task.Stage].curve
		h.brief = h.brief && brief(curve, residual)
		if used <= h.slots {
			h.add(t.continueAttempt(j, at, curve, residual, before))
		}
	}
	if now := h.offer(); now != h.offered {
		t.supply.Replace(h.offered, now)
		h.offered = now
	}
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

// jobOf is an attempt's job, nil when it has ended.
func (t *tracker) jobOf(at *ledger.Attempt, before *attempt) *job {
	if before != nil && !before.job.gone {
		return before.job // t look-up costs more than all the rest
	}
	return t.jobs.of[at.Job]
}

// uncountAttempts takes the host's attempts out of all sums, and returns what they
// were.
func (t *tracker) uncountAttempts(h *host) []attempt {
	for i := range h.attempts {
		s := &h.attempts[i]
		s.job.rate -= s.rate
		s.stage().flights[s.bin]--
	}
	h.attempts, h.spare = slices.Grow(h.spare[:0], min(len(h.life.Attempts()), h.slots)), h.attempts
	return h.spare
}

// continueAttempt carries an attempt's progress on: the sum of what it completed at each
// residual that it had. One that is seen for the first time counts as if it had
// always run as it does now.
func (t *tracker) continueAttempt(j *job, at *ledger.Attempt, c *tct.Curve, residual float64, before *attempt) attempt {
	s := attempt{job: j, life: at, curve: c, rate: heldTo(at, rateOf(c, residual)), bin: binOf(at.Why.Residual)}
	if before == nil {
		before = &attempt{rate: s.rate, since: max(at.Started, at.Assigned)}
		if c, ok := t.carried[at.ID]; ok {
			before = &attempt{rate: c.Rate, done: c.Done, since: c.Since}
			delete(t.carried, at.ID)
		}
	}
	if s.done, s.since = before.done, before.since; before.rate != s.rate {
		s.done, s.since = before.progress(t.now), t.now
	}
	return s
}

// carried is an attempt's progress in a snapshot.
type carried struct {
	Attempt uint64  `msgpack:"attempt"`
	Rate    rate    `msgpack:"rate"`
	Done    float64 `msgpack:"done"`
	Since   int64   `msgpack:"since"`
}

func (at *attempt) carry() carried { return carried{at.life.ID, at.rate, at.done, at.since} }

// add counts an attempt in.
func (h *host) add(s attempt) {
	s.job.rate += s.rate
	s.stage().flights[s.bin]++
	h.attempts = append(h.attempts, s)
}

func (at *attempt) stage() *stage { return &at.job.stages[at.life.Task.Stage] }

// progress is how much of the task is complete.
func (at *attempt) progress(now int64) float64 {
	return at.done + float64(at.rate)*float64(max(now-at.since, 0))/(rateUnit*1e9)
}

// heldTo is the rate of an attempt that reads no faster than its pace allows.
func heldTo(at *ledger.Attempt, free rate) rate {
	told := at.Rate()
	if told <= 0 {
		return free
	}
	bytes := at.Job.Stages[at.Task.Stage].Bytes
	if bytes <= 0 {
		return free
	}
	return min(free, max(rate(rateUnit*told/float64(bytes)), 1))
}
