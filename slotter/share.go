package slotter

import "lull/subjects/ledger"

// share is one attempt's part in its job's rate.
type share struct {
	job  *job
	life *ledger.Attempt
	rate rate
	bin  int // of residual, where it explores

	// done is how much of the task was complete at since, as the model has it:
	// 1 is when it should be over. The primary's load changes under a task, so
	// its age alone says little.
	done  float64
	since int64
}

// share counts the host's attempts into the rates of their jobs: with each
// attempt more, all the others get a smaller part of what is idle. The host
// starts them in the order of the log, so those that come after its slots are
// full wait, and complete nothing. Nor does a rival: its task is counted where
// it is held.
func (a *Actor) share(h *host) {
	was := a.unshare(h)
	h.brief, h.oldest = true, never
	residual, used := h.residual(0), 0
	for _, at := range h.life.Attempts() {
		used += int(at.Width)
		h.oldest = min(h.oldest, at.Assigned)
		j := a.jobs.of[at.Job]
		if j == nil || !at.Holds() {
			h.brief = false
			continue
		}
		curve := j.stages[at.Task.Stage].curve
		h.brief = h.brief && brief(curve, residual)
		if used <= h.slots {
			was = h.add(a.begins(j, at, rateOf(curve, residual), was), was)
		}
	}
	a.supply.count(h)
}

// unshare takes the host's attempts out of all sums, and returns what they
// were.
func (a *Actor) unshare(h *host) []share {
	for i := range h.shares {
		s := &h.shares[i]
		s.job.rate -= s.rate
		s.stage().flights[s.bin]--
	}
	h.shares, h.spare = h.spare[:0], h.shares
	return h.spare
}

// begins carries an attempt's progress on: the sum of what it completed at each
// residual that it had. One that is seen for the first time counts as if it had
// always run as it does now.
func (a *Actor) begins(j *job, at *ledger.Attempt, r rate, was []share) share {
	s := share{job: j, life: at, rate: r, bin: binOf(at.Why.Residual)}
	for len(was) > 0 && was[0].life.ID < at.ID {
		was = was[1:]
	}
	before := share{rate: r, since: max(at.Started, at.Assigned)}
	if len(was) > 0 && was[0].life == at {
		before = was[0]
	} else if c, ok := a.carried[at.ID]; ok {
		before = share{rate: c.Rate, done: c.Done, since: c.Since}
		delete(a.carried, at.ID)
	}
	if s.done, s.since = before.done, before.since; before.rate != r {
		s.done, s.since = before.progress(a.now), a.now
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

func (s *share) carry() carried { return carried{s.life.ID, s.rate, s.done, s.since} }

// add counts a share in. Both lists are by attempt, so those before it are not
// looked at again.
func (h *host) add(s share, was []share) []share {
	s.job.rate += s.rate
	s.stage().flights[s.bin]++
	h.shares = append(h.shares, s)
	for len(was) > 0 && was[0].life.ID <= s.life.ID {
		was = was[1:]
	}
	return was
}

func (s *share) stage() *stage { return &s.job.stages[s.life.Task.Stage] }

// progress is how much of the task is complete.
func (s *share) progress(now int64) float64 {
	return s.done + float64(s.rate)*float64(max(now-s.since, 0))/(rateUnit*1e9)
}
