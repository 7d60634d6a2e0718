package slotter

import (
	"slices"

	"lull/subjects"
	"lull/subjects/ledger"
)

// reconciler revokes the attempts that no job waits for, and those about which a host and
// the ledger disagree. The host answers a revocation with what became of the attempt.
type reconciler struct {
	*facts
	strikes map[*host][]strike // of the hosts with which the ledger disagrees
}

// compare finds the attempts that the host lists and the ledger does not know, and those that the
// ledger expects there and the host does not list. Assignments after the heartbeat's Seq are left
// out: the host cannot have read them.
func (r *reconciler) compare(h *host, b *subjects.Beat) {
	was := r.strikes[h]
	r.forget(h)
	for _, at := range h.life.Attempts() {
		if _, held := slices.BinarySearch(b.Attempts, at.ID); !held && at.ID <= b.Seq {
			r.strike(h, was, at.ID)
		}
	}
	for _, id := range b.Attempts {
		if at := r.state.Attempt(id); id <= r.state.Seq && (at == nil || at.Host != h.life) {
			r.strike(h, was, id)
		}
	}
}

// decide revokes what is unwanted or in dispute.
func (r *reconciler) decide(b *batch) {
	if r.due.unwanted {
		r.due.unwanted = r.revokeUnwanted(b)
	}
	if len(r.strikes) == 0 {
		return
	}
	for _, h := range r.hosts.byName {
		if strikes := r.strikes[h]; len(strikes) > 0 {
			r.revokeDisputed(b, h, strikes)
		}
	}
}

// revokeUnwanted reports whether it found any.
func (r *reconciler) revokeUnwanted(b *batch) (found bool) {
	for _, h := range r.hosts.byName {
		for _, at := range h.life.Attempts() {
			if at.Unwanted() {
				b.add(&subjects.Revoked{Host: h.life.Name, Job: at.Job.ID, Attempt: at.ID, Why: whyUnwanted(at)})
				found = true
			}
		}
	}
	return found
}

func whyUnwanted(at *ledger.Attempt) string {
	if !at.Job.Live() {
		return "its job is " + at.Job.Phase.String()
	}
	return "its task is done or held by another attempt"
}

func (r *reconciler) revokeDisputed(b *batch, h *host, strikes []strike) {
	for i := range strikes {
		s := &strikes[i]
		if s.beats < s.limit || b.room() == 0 {
			continue
		}
		s.beats, s.limit = 0, min(2*s.limit, lastLimit)
		b.add(r.disputed(h, s.attempt))
	}
}

// disputed revokes an attempt that only one side knows. The job of one that the ledger
// does not know is "-".
func (r *reconciler) disputed(h *host, attempt uint64) *subjects.Revoked {
	e := &subjects.Revoked{Host: h.life.Name, Job: "-", Attempt: attempt, Why: "the log knows no such attempt here"}
	if at := r.state.Attempt(attempt); at != nil && at.Host == h.life {
		e.Job, e.Why = at.Job.ID, "the host does not hold it"
		e.Unheld, e.Stage, e.Task = true, at.Task.Stage, at.Task.Task
	}
	return e
}

// strike counts how often a host's beats and the ledger disagreed about an attempt. A
// report of its end may be on its way, so one beat proves nothing.
type strike struct {
	attempt uint64
	beats   int
	limit   int // at which it is revoked; doubles each time
}

const (
	firstLimit = 3
	lastLimit  = 64
)

// strike counts another disagreement about an attempt. was is what counted until now.
func (r *reconciler) strike(h *host, was []strike, attempt uint64) {
	one := strike{attempt: attempt, limit: firstLimit}
	if i := slices.IndexFunc(was, func(s strike) bool { return s.attempt == attempt }); i >= 0 {
		one = was[i]
	}
	one.beats++
	r.strikes[h] = append(r.strikes[h], one)
}

// revokeNext has an attempt revoked with the next decision.
func (r *reconciler) revokeNext(h *host, attempt uint64) {
	r.strikes[h] = append(r.strikes[h], strike{attempt: attempt, beats: firstLimit, limit: firstLimit})
}

// forget drops the disagreements about a host.
func (r *reconciler) forget(h *host) { delete(r.strikes, h) }

// newReconciler returns a reconciler that knows of no disagreement.
func newReconciler(f *facts) *reconciler {
	return &reconciler{facts: f, strikes: map[*host][]strike{}}
}
