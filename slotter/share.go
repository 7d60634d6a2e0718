package slotter

import (
	"slices"

	"lull/subjects/ledger"
	"lull/subjects/tct"
)

// share is one attempt's part in its job's rate.
type share struct {
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
		var before *share
		before, was = find(was, at)
		j := a.jobOf(at, before)
		if j == nil || !at.Holds() {
			h.brief = false
			continue
		}
		curve := j.stages[at.Task.Stage].curve
		h.brief = h.brief && brief(curve, residual)
		if used <= h.slots {
			h.add(a.begins(j, at, curve, residual, before))
		}
	}
	a.supply.count(h)
}

// find is an attempt's share in a list by attempt, nil if it has none, and what
// comes behind it.
func find(was []share, at *ledger.Attempt) (*share, []share) {
	for len(was) > 0 && was[0].life.ID < at.ID {
		was = was[1:]
	}
	if len(was) > 0 && was[0].life == at {
		return &was[0], was[1:]
	}
	return nil, was
}

// jobOf is an attempt's job, nil when it has ended.
func (a *Actor) jobOf(at *ledger.Attempt, before *share) *job {
	if before != nil && !before.job.gone {
		return before.job // a look-up costs more than all the rest
	}
	return a.jobs.of[at.Job]
}

// unshare takes the host's attempts out of all sums, and returns what they
// were.
func (a *Actor) unshare(h *host) []share {
	for i := range h.shares {
		s := &h.shares[i]
		s.job.rate -= s.rate
		s.stage().flights[s.bin]--
	}
	h.shares, h.spare = slices.Grow(h.spare[:0], min(len(h.life.Attempts()), h.slots)), h.shares
	return h.spare
}

// begins carries an attempt's progress on: the sum of what it completed at each
// residual that it had. One that is seen for the first time counts as if it had
// always run as it does now.
func (a *Actor) begins(j *job, at *ledger.Attempt, c *tct.Curve, residual float64, before *share) share {
	s := share{job: j, life: at, curve: c, rate: heldTo(at, rateOf(c, residual)), bin: binOf(at.Why.Residual)}
	if before == nil {
		before = &share{rate: s.rate, since: max(at.Started, at.Assigned)}
		if c, ok := a.carried[at.ID]; ok {
			before = &share{rate: c.Rate, done: c.Done, since: c.Since}
			delete(a.carried, at.ID)
		}
	}
	if s.done, s.since = before.done, before.since; before.rate != s.rate {
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

// add counts a share in.
func (h *host) add(s share) {
	s.job.rate += s.rate
	s.stage().flights[s.bin]++
	h.shares = append(h.shares, s)
}

func (s *share) stage() *stage { return &s.job.stages[s.life.Task.Stage] }

// progress is how much of the task is complete.
func (s *share) progress(now int64) float64 {
	return s.done + float64(s.rate)*float64(max(now-s.since, 0))/(rateUnit*1e9)
}
