// Package tracking keeps up to date what follows from the attempts that run: the rates of jobs, the progress of
// attempts, the pool's supply and the loads of data nodes.
package tracking

import (
	"fmt"

	"lull/slotter/datanode"
	"lull/slotter/facts"
	"lull/subjects/ledger"
	"lull/subjects/tct"
)

// Tracker keeps what follows from the attempts of hosts: the rates of jobs, the progress of
// attempts, the pool's supply and the load of data nodes.
type Tracker struct {
	*facts.Facts
	carried map[uint64]Carried // progress from before a restart
	readers []datanode.Reader  // reused for each host
	was     []facts.Attempt    // a host's attempts as they were; reused for each host
}

// Settle brings what depends on the attempts of touched hosts up to date: once a round
// instead of once an event.
func (t *Tracker) Settle() {
	for _, h := range t.Hosts.Touched {
		h.Touched = false
		h.ResetPlan()
		t.countAttempts(h)
		t.countReaders(h)
	}
	t.Hosts.Touched = t.Hosts.Touched[:0]
}

// countAttempts counts the host's attempts into the rates of their jobs. With each further attempt,
// all the others get a smaller part of what is idle. The host starts them in the order of the log.
// Those that come after its slots are full wait, and complete nothing. Nor does a rival: the
// attempt that holds its task is counted.
func (t *Tracker) countAttempts(h *facts.Host) {
	h.Brief, h.Oldest = true, facts.Never
	all, step := h.Life.Attempts(), tct.Step(h.Residual(0))
	used, same := 0, 0
	for _, at := range all[:min(len(all), len(h.Running))] { // most go on as they were
		now := used + int(h.Life.PlacesOf(at))
		if now > h.Slots || !t.follow(h, &h.Running[same], at, step) {
			break
		}
		used = now
		same++
	}
	if len(all) > same || len(h.Running) > same {
		t.replaceAttempts(h, same, used, step)
	}
	if now := h.Offer(); now != h.Offered {
		t.Supply.Replace(h.Offered, now)
		h.Offered = now
	}
}

// follow updates the rate of an attempt that goes on. It returns false, and changes nothing, if
// life is another attempt or no longer counts.
func (t *Tracker) follow(h *facts.Host, at *facts.Attempt, life *ledger.Attempt, step int) bool {
	if at.Life != life || at.Job.Gone || !life.Holds() {
		return false
	}
	h.Oldest = min(h.Oldest, life.Assigned)
	at.Curve = at.Stage.Curve
	h.Brief = h.Brief && facts.BriefAt(at.Curve, step)
	if now := pacedRate(life, facts.RateOn(h, life, at.Curve, step)); now != at.Rate {
		at.SetRate(now, t.Now)
	}
	return true
}

// replaceAttempts counts the attempts of a host anew, but for the first ones, which use so many
// slots.
func (t *Tracker) replaceAttempts(h *facts.Host, first, used, step int) {
	t.was = h.TakeAttempts(first, t.was[:0])
	was := t.was
	for _, at := range h.Life.Attempts()[first:] {
		used += int(h.Life.PlacesOf(at))
		h.Oldest = min(h.Oldest, at.Assigned)
		var before *facts.Attempt
		before, was = facts.FindAttempt(was, at)
		j := t.jobOf(at, before)
		if j == nil || !at.Holds() {
			h.Brief = false
			continue
		}
		st := &j.Stages[at.Task.Stage]
		h.Brief = h.Brief && facts.BriefAt(st.Curve, step)
		if used <= h.Slots {
			h.Add(t.continueAttempt(h, j, at, st, step, before))
		}
	}
	clear(t.was)
}

// jobOf is an attempt's job, nil when it has ended.
func (t *Tracker) jobOf(at *ledger.Attempt, before *facts.Attempt) *facts.Job {
	if before != nil && !before.Job.Gone {
		return before.Job // a look-up costs more than all the rest
	}
	return t.Jobs.Of[at.Job]
}

// continueAttempt carries an attempt's progress on: the sum of what it completed at each
// residual that it had. One that is seen for the first time counts as if it had
// always run as it does now.
func (t *Tracker) continueAttempt(h *facts.Host, j *facts.Job, at *ledger.Attempt, st *facts.Stage, step int, before *facts.Attempt) facts.Attempt {
	s := facts.Attempt{Job: j, Stage: st, Life: at, Curve: st.Curve, Rate: pacedRate(at, facts.RateOn(h, at, st.Curve, step)), Bin: facts.BinOf(at.Why.Residual)}
	if before == nil {
		before = &facts.Attempt{Rate: s.Rate, Since: max(at.Started, at.Assigned)}
		if c, ok := t.carried[at.ID]; ok {
			before = &facts.Attempt{Rate: c.Rate, Done: c.Done, Since: c.Since}
			delete(t.carried, at.ID)
		}
	}
	if s.Done, s.Since = before.Done, before.Since; before.Rate != s.Rate {
		s.Done, s.Since = before.Progress(t.Now), t.Now
	}
	return s
}

// Carried is an attempt's progress in a snapshot.
type Carried struct {
	Attempt uint64     `msgpack:"attempt"`
	Rate    facts.Rate `msgpack:"rate"`
	Done    float64    `msgpack:"done"`
	Since   int64      `msgpack:"since"`
}

// Save returns the progress of what runs, host by host, by attempt.
func (t *Tracker) Save() (all []Carried) {
	for _, h := range t.Hosts.ByName {
		for i := range h.Running {
			at := &h.Running[i]
			all = append(all, Carried{at.Life.ID, at.Rate, at.Done, at.Since})
		}
	}
	return all
}

// Load takes over what a snapshot kept.
func (t *Tracker) Load(all []Carried) error {
	for _, c := range all {
		if !(c.Done >= 0 && c.Done < maxDone) {
			return fmt.Errorf("slotter snapshot: the progress of attempt %d is %g, want 0 to %g", c.Attempt, c.Done, maxDone)
		}
		t.carried[c.Attempt] = c
	}
	return nil
}

// maxDone bounds the progress of an attempt in a snapshot.
const maxDone = 1e9

// pacedRate is the rate of an attempt that reads no faster than its pace allows.
func pacedRate(at *ledger.Attempt, free facts.Rate) facts.Rate {
	target := at.Rate()
	if target <= 0 {
		return free
	}
	bytes := at.Job.Stages[at.Task.Stage].Bytes
	if bytes <= 0 {
		return free
	}
	return min(free, max(facts.Rate(facts.RateUnit*target/float64(bytes)), 1))
}

// NoteStarted counts an attempt's progress from its start on. Before that it fetched what it reads.
func (t *Tracker) NoteStarted(life *ledger.Attempt) {
	if life == nil || !facts.ReadsOthers(life) || life.Started-life.Assigned < facts.MinStragglerAge {
		return
	}
	h := t.Hosts.Of[life.Host.Name]
	if h == nil {
		return
	}
	for i := range h.Running {
		if at := &h.Running[i]; at.Life == life {
			at.Done, at.Since = 0, life.Started
		}
	}
}

// New returns a tracker of no attempts.
func New(f *facts.Facts) *Tracker { return &Tracker{Facts: f, carried: map[uint64]Carried{}} }
