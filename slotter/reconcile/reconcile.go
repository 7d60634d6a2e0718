// Package reconcile revokes the attempts that no job waits for, and those about which a host and the ledger disagree.
package reconcile

import (
	"slices"

	"lull/slotter/batch"
	"lull/slotter/facts"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Reconciler revokes the attempts that no job waits for, and those about which a host and
// the ledger disagree. The host answers a revocation with what became of the attempt.
type Reconciler struct {
	*facts.Facts
	strikes map[*facts.Host][]strike // of the hosts with which the ledger disagrees
}

// Compare finds the attempts that the host lists and the ledger does not know, and those that the
// ledger expects there and the host does not list. Assignments after the heartbeat's Seq are left
// out: the host cannot have read them.
func (r *Reconciler) Compare(h *facts.Host, b *subjects.Beat) {
	was := r.strikes[h]
	r.Forget(h)
	for _, at := range h.Life.Attempts() {
		if _, held := slices.BinarySearch(b.Attempts, at.ID); !held && at.ID <= b.Seq {
			r.addStrike(h, was, at.ID)
		}
	}
	for _, id := range b.Attempts {
		if at := r.Ledger.Attempt(id); id <= r.Ledger.Seq && (at == nil || at.Host != h.Life) {
			r.addStrike(h, was, id)
		}
	}
}

// Decide revokes what is unwanted or in dispute.
func (r *Reconciler) Decide(b *batch.Batch) {
	if r.Due.Unwanted {
		r.Due.Unwanted = r.revokeUnwanted(b)
	}
	if len(r.strikes) == 0 {
		return
	}
	for _, h := range r.Hosts.ByName {
		if strikes := r.strikes[h]; len(strikes) > 0 {
			r.revokeDisputed(b, h, strikes)
		}
	}
}

// revokeUnwanted revokes the attempts that no job waits for, and reports whether there were any.
func (r *Reconciler) revokeUnwanted(b *batch.Batch) (found bool) {
	for _, h := range r.Hosts.ByName {
		for _, at := range h.Life.Attempts() {
			if at.Unwanted() {
				b.Add(&subjects.Revoked{Host: h.Life.Name, Job: at.Job.ID, Attempt: at.ID, Why: whyUnwanted(at)})
				found = true
			}
		}
	}
	return found
}

func whyUnwanted(at *ledger.Attempt) string {
	switch {
	case at.Job.Phase == ledger.Failed:
		return "its job failed"
	case !at.Job.Live():
		return "its job is " + at.Job.Phase.String()
	}
	if at.TaskCancelled() {
		return "its task was cancelled"
	}
	return "its task is done or held by another attempt"
}

func (r *Reconciler) revokeDisputed(b *batch.Batch, h *facts.Host, strikes []strike) {
	for i := range strikes {
		s := &strikes[i]
		if s.beats < s.limit || b.Room() == 0 {
			continue
		}
		s.beats, s.limit = 0, min(2*s.limit, lastLimit)
		b.Add(r.revocation(h, s.attempt))
	}
}

// revocation returns the event that revokes an attempt which only one side knows. If the ledger does not
// know the attempt, its job is "-".
func (r *Reconciler) revocation(h *facts.Host, attempt uint64) *subjects.Revoked {
	e := &subjects.Revoked{Host: h.Life.Name, Job: "-", Attempt: attempt, Why: "the log knows no such attempt here"}
	if at := r.Ledger.Attempt(attempt); at != nil && at.Host == h.Life {
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

// addStrike counts another disagreement about an attempt. was has the strikes so far.
func (r *Reconciler) addStrike(h *facts.Host, was []strike, attempt uint64) {
	one := strike{attempt: attempt, limit: firstLimit}
	if i := slices.IndexFunc(was, func(s strike) bool { return s.attempt == attempt }); i >= 0 {
		one = was[i]
	}
	one.beats++
	r.strikes[h] = append(r.strikes[h], one)
}

// RevokeNext has an attempt revoked with the next decision.
func (r *Reconciler) RevokeNext(h *facts.Host, attempt uint64) {
	r.strikes[h] = append(r.strikes[h], strike{attempt: attempt, beats: firstLimit, limit: firstLimit})
}

// Forget drops the disagreements about a host.
func (r *Reconciler) Forget(h *facts.Host) { delete(r.strikes, h) }

// New returns a Reconciler without strikes.
func New(f *facts.Facts) *Reconciler {
	return &Reconciler{Facts: f, strikes: map[*facts.Host][]strike{}}
}
