package slotter

import (
	"fmt"

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
	was     []attempt          // room for what a host's attempts were
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
	h.brief, h.oldest = true, never
	all, step := h.life.Attempts(), tct.Step(h.residual(0))
	used, same := 0, 0
	for _, at := range all[:min(len(all), len(h.attempts))] { // most go on as they were
		now := used + int(at.Width)
		if now > h.slots || !t.follow(h, &h.attempts[same], at, step) {
			break
		}
		used = now
		same++
	}
	if len(all) > same || len(h.attempts) > same {
		t.replaceAttempts(h, same, used, step)
	}
	if now := h.offer(); now != h.offered {
		t.supply.Replace(h.offered, now)
		h.offered = now
	}
}

// follow updates the rate of an attempt that goes on. It returns false, and changes nothing, if
// life is another attempt or no longer counts.
func (t *tracker) follow(h *host, at *attempt, life *ledger.Attempt, step int) bool {
	if at.life != life || at.job.gone || !life.Holds() {
		return false
	}
	h.oldest = min(h.oldest, life.Assigned)
	at.curve = at.stage.curve
	h.brief = h.brief && briefAt(at.curve, step)
	if now := heldTo(life, rateAt(at.curve, step)); now != at.rate {
		at.setRate(now, t.now)
	}
	return true
}

// replaceAttempts counts the attempts of a host anew, but for the first ones, which use so many
// slots.
func (t *tracker) replaceAttempts(h *host, first, used, step int) {
	t.was = h.takeAttempts(first, t.was[:0])
	was := t.was
	for _, at := range h.life.Attempts()[first:] {
		used += int(at.Width)
		h.oldest = min(h.oldest, at.Assigned)
		var before *attempt
		before, was = findAttempt(was, at)
		j := t.jobOf(at, before)
		if j == nil || !at.Holds() {
			h.brief = false
			continue
		}
		st := &j.stages[at.Task.Stage]
		h.brief = h.brief && briefAt(st.curve, step)
		if used <= h.slots {
			h.add(t.continueAttempt(j, at, st, step, before))
		}
	}
	clear(t.was)
}

// jobOf is an attempt's job, nil when it has ended.
func (t *tracker) jobOf(at *ledger.Attempt, before *attempt) *job {
	if before != nil && !before.job.gone {
		return before.job // t look-up costs more than all the rest
	}
	return t.jobs.of[at.Job]
}

// continueAttempt carries an attempt's progress on: the sum of what it completed at each
// residual that it had. One that is seen for the first time counts as if it had
// always run as it does now.
func (t *tracker) continueAttempt(j *job, at *ledger.Attempt, st *stage, step int, before *attempt) attempt {
	s := attempt{job: j, stage: st, life: at, curve: st.curve, rate: heldTo(at, rateAt(st.curve, step)), bin: binOf(at.Why.Residual)}
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

// save returns the progress of what runs, host by host, by attempt.
func (t *tracker) save() (all []carried) {
	for _, h := range t.hosts.byName {
		for i := range h.attempts {
			at := &h.attempts[i]
			all = append(all, carried{at.life.ID, at.rate, at.done, at.since})
		}
	}
	return all
}

// load takes over what a snapshot kept.
func (t *tracker) load(all []carried) error {
	for _, c := range all {
		if !(c.Done >= 0 && c.Done < maxDone) {
			return fmt.Errorf("slotter snapshot: attempt %d is %g times done", c.Attempt, c.Done)
		}
		t.carried[c.Attempt] = c
	}
	return nil
}

// maxDone bounds the progress of an attempt in a snapshot.
const maxDone = 1e9

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

// began counts an attempt's progress from its start on. Before that it fetched what it reads.
func (t *tracker) began(life *ledger.Attempt) {
	if life == nil || !readsOthers(life) || life.Started-life.Assigned < youngest {
		return
	}
	h := t.hosts.of[life.Host.Name]
	if h == nil {
		return
	}
	for i := range h.attempts {
		if at := &h.attempts[i]; at.life == life {
			at.done, at.since = 0, life.Started
		}
	}
}

// newTracker returns a tracker of no attempts.
func newTracker(f *facts) *tracker { return &tracker{facts: f, carried: map[uint64]carried{}} }
