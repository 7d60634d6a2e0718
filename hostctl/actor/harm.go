package actor

import (
	"time"

	"lull/actors"
	"lull/subjects"
)

const (
	// interval is how long harm is added up before it is said.
	interval = 10 * time.Minute
	// brief is how long it is added up when tasks made way for the primary: who
	// looks then wants to know why, and a host in need must not fill the log.
	brief = time.Minute
	// skew is how far the clock of a host's log may be ahead of the server's,
	// within which the ledger takes the end of an interval.
	skew = time.Minute
)

// Suffered is the report of what batch work gave and took on the host: counters
// that begin with this process. The latest one counts, any may be lost.
type Suffered struct {
	Harvested float64 // CPU seconds that batch work used
	Primary   float64 // CPU seconds that the primary used
	Delay     float64 // seconds that it waited for a CPU because batch work ran
	Sensor    string  // how Delay was measured, "" if it was not
	Budget    float64 // of Delay, per CPU second of the primary
}

// Reckoned is what an actor leaves to the next one of its process: how far it
// has accounted for what was reported. The zero value accounts for nothing.
type Reckoned struct {
	until int64 // Unix nanoseconds, by the log's clock
	Suffered
	owed *subjects.Harmed
}

// harm adds up what is to be said in Harmed.
type harm struct {
	// What the log says.

	until     int64  // the end of the last interval that counts
	evictions uint32 // for the primary's sake, that no interval has counted

	// What this process knows.

	latest *Suffered // the last report
	began  bool
	since  Reckoned // the beginning of the present interval, and the one owed
	final  bool     // no other follows it
}

// beginHarm opens the first interval: now, or where an earlier actor of this
// process stood, unless the log counts something later. What that one owed, and
// did not get into the log, is owed still; its last word, if in doubt, has come
// back before this term or never will.
func (a *Actor) beginHarm() {
	h, left := &a.harm, a.cfg.Reckoned
	h.began = true
	if left.until == 0 || h.until > left.until {
		h.since = Reckoned{until: a.residual.at.UnixNano(), Suffered: *h.latest}
		return
	}
	h.since = left
	if left.owed != nil && h.until >= left.owed.To {
		h.since.owed = nil
	}
}

// reckon ends the interval when it is due: after ten minutes, after one in
// which tasks made way, and before the host leaves. What is over is then owed
// to the log, under whatever term, until it stands there.
func (a *Actor) reckon() {
	h := &a.harm
	if h.latest == nil {
		return
	}
	if !h.began {
		a.beginHarm()
	}
	if h.since.owed != nil || h.final || !a.reckonable() {
		return
	}
	h.since.owed = a.account()
	h.since.until, h.since.Suffered, h.final = h.since.owed.To, *h.latest, a.leaving
}

func (a *Actor) reckonable() bool {
	lasted := time.Duration(a.residual.at.UnixNano() - a.harm.since.until)
	return lasted >= interval || lasted >= brief && a.harm.evictions > 0 || a.leaving && !a.owes()
}

// account is the present interval, which ends now.
func (a *Actor) account() *subjects.Harmed {
	h, since := a.harm.latest, a.harm.since
	from := max(since.until, a.harm.until)
	return &subjects.Harmed{
		Host: a.cfg.Host, Tenant: a.cfg.Tenant, From: from, To: max(from, a.residual.at.UnixNano()),
		Harvested: max(h.Harvested-since.Harvested, 0), Primary: max(h.Primary-since.Primary, 0),
		Delay: max(h.Delay-since.Delay, 0), Sensor: h.Sensor, Budget: h.Budget,
		Evictions: a.harm.evictions,
	}
}

// lament adds the interval that is owed.
func (a *Actor) lament(events []subjects.Event) []subjects.Event {
	if a.harm.since.owed == nil || len(events) == actors.MaxBatch {
		return events
	}
	e := *a.harm.since.owed
	e.Term = a.term
	return append(events, &e)
}

// harmed mirrors what the ledger makes of an interval of this host. One that is
// owed is settled by it, also if it came to nothing: it would again.
func (a *Actor) harmed(at time.Time, e *subjects.Harmed) {
	h := &a.harm
	if e.Term != a.term {
		return
	}
	if owed := h.since.owed; owed != nil && owed.From == e.From && owed.To == e.To {
		h.since.owed = nil
	}
	if e.From >= h.until && e.To <= at.Add(skew).UnixNano() {
		h.until = e.To
		h.evictions -= min(e.Evictions, h.evictions)
	}
}

// madeWay counts an eviction for the primary's sake that the ledger accepts.
func (a *Actor) madeWay(e subjects.Event) {
	if e, ok := e.(*subjects.Evicted); ok && e.Reason == subjects.ReasonReserve {
		a.harm.evictions++
	}
}

// Reckoned is what the next actor of this process is to go on from.
func (a *Actor) Reckoned() Reckoned {
	if !a.harm.began {
		return a.cfg.Reckoned
	}
	return a.harm.since
}
