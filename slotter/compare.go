package slotter

import (
	"slices"

	"lull/subjects"
	"lull/subjects/ledger"
)

// strike counts how often a host's beats and the ledger disagreed about an
// attempt. A report of its end may be on its way, so one beat proves nothing.
type strike struct {
	attempt uint64
	beats   int
	limit   int // at which it is revoked; doubles each time
}

const (
	firstLimit = 3
	lastLimit  = 64
)

// compare finds the attempts that the host holds and the ledger does not know,
// and those that the ledger believes there and the host does not hold. What
// was assigned after the beat's Seq, the host cannot have seen.
func (a *Actor) compare(h *host, b *subjects.Beat) {
	was := a.hosts.forgive(h)
	for _, at := range h.life.Attempts() {
		if _, held := slices.BinarySearch(b.Attempts, at.ID); !held && at.ID <= b.Seq {
			a.hosts.strike(h, was, at.ID)
		}
	}
	for _, id := range b.Attempts {
		if at := a.state.Attempt(id); id <= a.state.Seq && (at == nil || at.Host != h.life) {
			a.hosts.strike(h, was, id)
		}
	}
}

// strike counts another disagreement about an attempt.
func (s *hosts) strike(h *host, was []strike, attempt uint64) {
	one := strike{attempt: attempt, limit: firstLimit}
	if i := slices.IndexFunc(was, func(s strike) bool { return s.attempt == attempt }); i >= 0 {
		one = was[i]
	}
	one.beats++
	if h.strikes = append(h.strikes, one); len(h.strikes) == 1 {
		s.struck++
	}
}

// condemn marks an attempt to be revoked at once.
func (s *hosts) condemn(h *host, attempt uint64) {
	h.strikes = append(h.strikes, strike{attempt: attempt, beats: firstLimit, limit: firstLimit})
	if len(h.strikes) == 1 {
		s.struck++
	}
}

// forgive takes back all strikes of a host, and returns them.
func (s *hosts) forgive(h *host) (was []strike) {
	if was, h.strikes = h.strikes, nil; len(was) > 0 {
		s.struck--
	}
	return was
}

// revoke takes back attempts that no job waits for, and those about which host and
// ledger disagree: the host answers a revocation with what became of the attempt.
func (a *Actor) revoke(b *batch) {
	if a.due.unwanted {
		a.due.unwanted = a.revokeUnwanted(b)
	}
	if a.hosts.struck == 0 {
		return
	}
	for _, h := range a.hosts.byName {
		if len(h.strikes) > 0 {
			a.revokeStruck(b, h)
		}
	}
}

// revokeUnwanted reports whether it found any.
func (a *Actor) revokeUnwanted(b *batch) (found bool) {
	for _, h := range a.hosts.byName {
		for _, at := range h.life.Attempts() {
			if at.Unwanted() {
				b.add(&subjects.Revoked{Host: h.life.Name, Job: at.Job.ID, Attempt: at.ID, Why: unwanted(at)})
				found = true
			}
		}
	}
	return found
}

func unwanted(at *ledger.Attempt) string {
	if !at.Job.Live() {
		return "its job is " + at.Job.Phase.String()
	}
	return "its task is done or held by another attempt"
}

func (a *Actor) revokeStruck(b *batch, h *host) {
	for i := range h.strikes {
		s := &h.strikes[i]
		if s.beats < s.limit || b.room() == 0 {
			continue
		}
		s.beats, s.limit = 0, min(2*s.limit, lastLimit)
		b.add(a.disagreement(h, s.attempt))
	}
}

// disagreement revokes an attempt that only one side knows. The job of one
// that the ledger does not know is "-".
func (a *Actor) disagreement(h *host, attempt uint64) *subjects.Revoked {
	e := &subjects.Revoked{Host: h.life.Name, Job: "-", Attempt: attempt, Why: "the log knows no such attempt here"}
	if at := a.state.Attempt(attempt); at != nil && at.Host == h.life {
		e.Job, e.Why = at.Job.ID, "the host does not hold it"
		e.Unheld, e.Stage, e.Task = true, at.Task.Stage, at.Task.Task
	}
	return e
}
