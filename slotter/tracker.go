package slotter

import (
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

// leastAttempts is the number of attempts that the first allocation of a host's has room for.
const leastAttempts = 4

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
		at.done, at.since = at.progress(t.now), t.now
		at.job.rate += now - at.rate
		at.rate = now
	}
	return true
}

// replaceAttempts counts the attempts of a host anew, but for the first ones, which use so many
// slots.
func (t *tracker) replaceAttempts(h *host, first, used, step int) {
	was := append(t.was[:0], h.attempts[first:]...)
	t.was = was
	for i := range was {
		was[i].uncount()
	}
	clear(h.attempts[first:])
	h.attempts = h.attempts[:first]
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

func (at *attempt) carry() carried { return carried{at.life.ID, at.rate, at.done, at.since} }

// add counts an attempt in.
func (h *host) add(s attempt) {
	s.job.rate += s.rate
	s.stage.flights[s.bin]++
	if h.attempts == nil {
		h.attempts = make([]attempt, 0, min(leastAttempts, h.slots))
	}
	h.attempts = append(h.attempts, s)
}

// uncount takes an attempt out of all sums.
func (at *attempt) uncount() {
	at.job.rate -= at.rate
	at.stage.flights[at.bin]--
}

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
