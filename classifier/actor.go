package classifier

import (
	"time"

	"lull/actors"
	"lull/classifier/drift"
	"lull/classifier/study"
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

	// What follows is of this leader's own, and not in snapshots.
	busy    bool                 // an action is with the shell
	look    time.Time            // when to look for drift next
	next    time.Time            // when to learn at the earliest, after a failure or in an empty pool
	changed map[string]time.Time // tenants that drifted, with the time since when
	asked   request
	said    *said // a generation on its way into the log
}

// New returns an actor that knows nothing.
func New(cfg Config) *Actor { return &Actor{cfg: cfg} }

const (
	// settle is how long after midnight the day is taken to be complete: agents send their
	// samples once an hour.
	settle = 70 * time.Minute
	// again is when to try again after a failure, and to look into an empty pool.
	again = 5 * time.Minute
	// tick is how often the actor looks whether it was asked.
	tick = time.Second
)

// Learn is the action that makes a generation.
type Learn struct {
	At      time.Time
	Seed    uint64
	Known   study.Known
	Why     string
	Request subjects.ClassifyAsk // that asked for it, with an empty ID if none did
}

// Look is the action that looks for drift.
type Look struct {
	At    time.Time
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
	Changed map[string]time.Time
	Err     error
}

// Step folds one input and decides.
func (a *Actor) Step(in actors.Input) (out actors.Output) {
	if in.Entry != nil {
		a.fold(in.Entry.Event)
	}
	if in.Report != nil {
		a.report(in.Now, in.Report)
	}
	if in.Term == 0 {
		return out
	}
	out.Wake = in.Now.Add(tick)
	if in.Decide && a.said != nil {
		out.Events = a.said.next(&a.tenants)
	}
	if action := a.due(in.Now); action != nil {
		a.busy = true
		out.Actions = []actors.Action{action}
	}
	return out
}

func (a *Actor) fold(e subjects.Event) {
	a.tenants.Apply(e)
	if ended, ok := e.(*subjects.PoolClassified); ok && a.said != nil && ended.Generation >= a.said.end.Generation {
		a.said = nil
	}
	if led, ok := e.(*subjects.Led); ok && led.Actor == Name {
		a.forget()
	}
}

// forget drops what belongs to a leader: another one begins.
func (a *Actor) forget() {
	a.busy, a.said, a.changed, a.asked = false, nil, nil, request{}
	a.look, a.next = time.Time{}, time.Time{}
}

// due is the action that it is time for, nil for none.
func (a *Actor) due(now time.Time) actors.Action {
	switch why := a.reason(now); {
	case a.busy || a.said != nil:
		return nil
	case why != "":
		l := Learn{At: now, Seed: a.cfg.Seed ^ a.number(now), Known: a.known(), Why: why}
		if why == subjects.ClassifiedAsked {
			l.Request, a.asked.taken = a.asked.ask, true
		}
		return l
	case !now.Before(a.look) && a.tenants.Last() != nil:
		a.look = now.Truncate(time.Hour).Add(time.Hour)
		return Look{At: now, Known: a.known()}
	}
	return nil
}

// reason is why a generation should be made now, "" if none should.
func (a *Actor) reason(now time.Time) string {
	switch last := a.tenants.Last(); {
	case a.asked.waits():
		return subjects.ClassifiedAsked
	case now.Before(a.next):
		return ""
	case len(a.changed) > 0:
		return subjects.ClassifiedDrift
	case last == nil || !now.Before(dayAfter(time.Unix(0, last.At))):
		return subjects.ClassifiedDaily
	}
	return ""
}

// dayAfter is when the next day's generation is due.
func dayAfter(last time.Time) time.Time {
	const day = 24 * time.Hour
	return last.UTC().Add(-settle).Truncate(day).Add(day + settle)
}

// number returns the number of a generation that begins now. Numbers rise although a classifier
// that lost its snapshot and log knows no earlier one.
func (a *Actor) number(now time.Time) uint64 {
	n := uint64(max(now.Unix(), 1))
	if last := a.tenants.Last(); last != nil {
		n = max(n, last.Generation+1)
	}
	return n
}

func (a *Actor) report(now time.Time, report any) {
	a.busy = false
	switch r := report.(type) {
	case Looked:
		if r.Err != nil {
			a.look = now.Add(again)
		}
		a.changed = r.Changed
	case Learned:
		a.learned(now, &r)
	}
}

func (a *Actor) learned(now time.Time, r *Learned) {
	if r.Err != nil {
		a.asked.answer(r, nil)
		a.next = now.Add(again)
		return
	}
	s := compare(&a.tenants, r, a.number(r.At))
	a.asked.answer(r, s)
	switch {
	case r.Request.Dry:
	case len(r.Found.Tenants) == 0 && a.tenants.Last() == nil:
		a.next = now.Add(again) // nothing is known yet
	default:
		a.changed, a.said = nil, s
	}
}

// whyClass is why a tenant is reported although its profile is not worth it: its class changed.
const (
	whyClass drift.Reason = "class"
	whyGone  drift.Reason = "gone"
)
