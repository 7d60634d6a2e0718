package classifier

import (
	"time"

	"lull/actors"
	"lull/classifier/study"
	"lull/classifier/tenure"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Name of the actor.
const Name = "classifier"

// Config of a classifier.
type Config struct {
	// Max takes the greatest sample as a tenant's peak, as the paper does, in place of the
	// 99.5th percentile.
	Max bool
	// Seed begins the seeds of generations, so that restarts of k-means differ from pool to
	// pool. 0 is a seed, too.
	Seed uint64
}

// Actor is the pure half of the service.
type Actor struct {
	cfg     Config
	tenants ledger.Tenants
	hosts   tenure.Hosts
	owned   uint64 // sequence of the last list of tenants if no generation counts with it yet, else 0
	readers readers
	gap     bool // entries were trimmed before they were folded: generations may be unknown

	// The rest belongs to this leader and is not in snapshots.
	leader    string               // the instance that opened the last term
	busy      bool                 // an action is with the shell
	nextLook  time.Time            // when to look for drift next
	nextLearn time.Time            // when to learn at the earliest, after a failure or in an empty pool
	changed   map[string]time.Time // tenants that drifted, with the time since when
	more      bool                 // the last generation could not report all that differs
	asked     request
	pending   *pending // a generation on its way into the log
}

// New returns an actor that knows nothing.
func New(cfg Config) *Actor { return &Actor{cfg: cfg} }

const (
	// settleTime is how long after midnight the day counts as complete: agents send their samples once
	// an hour.
	settleTime = 70 * time.Minute
	// retryAfter is when to try again after a failure, and to look into an empty pool.
	retryAfter = 5 * time.Minute
	// refusedPause is the pause after a generation that the log did not accept. A new one is likely to be
	// refused as well, and each takes megabytes of the log.
	refusedPause = time.Hour
	// tick is how often the actor looks whether it was asked.
	tick = time.Second
)

// Learn is the action that makes a generation.
type Learn struct {
	At      time.Time
	Base    uint64 // the last generation, which Known is of
	Seed    uint64
	Known   study.Known
	Owned   uint64 // sequence of the last list of tenants, which Known holds
	Why     string
	All     bool                 // reports all tenants, not only those that changed
	Request subjects.ClassifyAsk // that asked for it, with an empty ID if none did
}

// Look is the action that looks for drift.
type Look struct {
	At    time.Time
	Base  uint64
	Known study.Known
}

// Learned reports a Learn.
type Learned struct {
	Learn
	Hosts int
	Found study.Found
	Err   error
}

// Looked reports a Look.
type Looked struct {
	Base    uint64
	Changed map[string]time.Time
	Err     error
}

// Step folds one input and decides.
func (a *Actor) Step(in actors.Input) (out actors.Output) {
	if in.Entry != nil {
		a.fold(in.Now, in.Entry)
	}
	if in.Refused != nil {
		a.foldRefused(in.Now, in.Refused.Event)
	}
	if in.Report != nil {
		a.foldReport(in.Now, in.Report)
	}
	if in.Term == 0 {
		return out
	}
	out.Wake = in.Now.Add(tick)
	if in.Decide && a.pending != nil {
		out.Events = a.pending.next(&a.tenants)
	}
	if action := a.due(in.Now); action != nil {
		a.busy = true
		out.Actions = []actors.Action{action}
	}
	return out
}

func (a *Actor) fold(now time.Time, entry *actors.Entry) {
	outcome := a.tenants.Apply(entry.Time, entry.Event).Outcome
	a.hosts.Apply(entry.Seq, entry.Time, entry.Event)
	switch e := entry.Event.(type) {
	case *subjects.Owned:
		a.owned = entry.Seq
	case *subjects.Classified:
		if outcome == ledger.Void && a.isPending(e.Generation) {
			a.giveUp(now)
		}
	case *subjects.PoolClassified:
		a.foldEnd(now, e, outcome)
	case *subjects.Led:
		if a.readers.lead(e, a.tenants.Last() != nil) && a.pending != nil {
			a.pending.all = false // the new reader lacks the earlier reports
		}
		if e.Actor == Name && e.Instance != a.leader {
			a.leader = e.Instance
			a.forget()
		}
	}
}

// foldEnd folds the end of a generation.
func (a *Actor) foldEnd(now time.Time, e *subjects.PoolClassified, outcome ledger.Outcome) {
	switch {
	case outcome == ledger.Void && a.isPending(e.Generation):
		a.giveUp(now)
	case outcome == ledger.Void:
	case a.isPending(e.Generation):
		a.gap, a.more, a.readers.Lack = false, a.pending.more, a.readers.Lack && !a.pending.all
		a.pending = nil
	default:
		a.gap, a.owned, a.pending = false, 0, nil // another leader's
	}
}

// isPending reports whether a generation is the one that is on its way into the log.
func (a *Actor) isPending(generation uint64) bool {
	return a.pending != nil && a.pending.end.Generation == generation
}

// giveUp drops the generation that is on its way, and waits before the next.
func (a *Actor) giveUp(now time.Time) { a.pending, a.nextLearn = nil, now.Add(refusedPause) }

// foldRefused drops from the generation a tenant that the log does not accept. Without its end the
// generation is dropped.
func (a *Actor) foldRefused(now time.Time, e subjects.Event) {
	switch e := e.(type) {
	case *subjects.Classified:
		if a.isPending(e.Generation) {
			a.pending.drop(e.Tenant)
		}
	case *subjects.PoolClassified:
		if a.isPending(e.Generation) {
			a.giveUp(now)
		}
	}
}

// Gap says that the log was trimmed before this instance had folded it: see actors.Gapped.
func (a *Actor) Gap() { a.gap = true }

// forget drops what belongs to a leader, when another instance begins to lead. An instance that opens
// a further term of its own goes on: what it sent has come back by then, or never will.
func (a *Actor) forget() {
	a.busy, a.pending, a.changed, a.more, a.asked = false, nil, nil, false, request{}
	a.nextLook, a.nextLearn = time.Time{}, time.Time{}
}

// due is the action that it is time for, nil for none.
func (a *Actor) due(now time.Time) actors.Action {
	switch why := a.reason(now); {
	case a.busy || a.pending != nil:
		return nil
	case why != "":
		l := Learn{At: now, Base: a.base(), Seed: a.cfg.Seed ^ a.number(now), Known: a.known(now), Owned: a.owned, Why: why}
		if why == subjects.ClassifiedAsked {
			l.Request, a.asked.taken = a.asked.ask, true
		}
		l.All = a.readers.Lack && !l.Request.Dry
		return l
	case !now.Before(a.nextLook) && a.tenants.Last() != nil:
		a.nextLook = now.Truncate(time.Hour).Add(time.Hour)
		return Look{At: now, Base: a.base(), Known: a.known(now)}
	}
	return nil
}

// reason is why a generation should be made now, "" if none should.
func (a *Actor) reason(now time.Time) string {
	switch last := a.tenants.Last(); {
	case a.asked.waits():
		return subjects.ClassifiedAsked
	case now.Before(a.nextLearn):
		return ""
	case len(a.changed) > 0:
		return subjects.ClassifiedDrift
	case a.owned != 0 && last != nil:
		return subjects.ClassifiedOwned
	case a.readers.Lack:
		return subjects.ClassifiedAgain
	case a.more || last == nil || !now.Before(dayAfter(time.Unix(0, last.At))):
		return subjects.ClassifiedDaily
	}
	return ""
}

// dayAfter is when the next day's generation is due.
func dayAfter(last time.Time) time.Time {
	const day = 24 * time.Hour
	return last.UTC().Add(-settleTime).Truncate(day).Add(day + settleTime)
}

// number returns the number of a generation that begins now. Numbers rise although a classifier
// that lost its snapshot and log knows no earlier one.
func (a *Actor) number(now time.Time) uint64 {
	return max(uint64(max(now.Unix(), 1)), a.tenants.Next())
}

// base is the last generation, 0 before the first.
func (a *Actor) base() uint64 {
	if last := a.tenants.Last(); last != nil {
		return last.Generation
	}
	return 0
}

// foldReport folds what an action of the shell has returned.
func (a *Actor) foldReport(now time.Time, report any) {
	a.busy = false
	switch r := report.(type) {
	case Looked:
		if r.Err != nil {
			a.nextLook = now.Add(retryAfter)
		}
		if r.Base == a.base() {
			a.changed = r.Changed
		}
	case Learned:
		a.foldLearned(now, &r)
	}
}

// foldLearned makes what was learnt the pending generation. A result that rests on an earlier
// generation than the last is dropped, because it would give the same names a second time.
func (a *Actor) foldLearned(now time.Time, r *Learned) {
	if r.Base != a.base() {
		a.asked.taken = a.asked.taken && a.asked.ask != r.Request
		return
	}
	if r.Err != nil {
		a.asked.setReply(r, nil)
		a.nextLearn = now.Add(retryAfter)
		return
	}
	s := compareTenants(&a.tenants, r, a.number(r.At))
	a.asked.setReply(r, s)
	switch {
	case r.Request.Dry:
	case len(r.Found.Tenants) == 0 && a.tenants.Last() == nil:
		a.nextLearn = now.Add(retryAfter) // nothing is known yet
	default:
		a.changed, a.more, a.pending = nil, false, s
		if a.owned == r.Owned { // no other list came since
			a.owned = 0
		}
	}
}
