package actor

import (
	"time"

	"lull/actors"
	"lull/subjects"
)

const (
	// harmInterval is how long harm is added up before it is reported.
	harmInterval = 10 * time.Minute
	// evictionInterval is how long it is added up after tasks were evicted for the
	// primary. People look for the cause soon, but a host that evicts all the time must
	// not fill the log.
	evictionInterval = time.Minute
	// maxClockSkew is how far the log's clock on a host may be ahead of the server's. The ledger refuses an
	// interval that ends later.
	maxClockSkew = time.Minute
)

// HarmTotals reports the CPU that batch work used on the host and the delay that it
// caused. They are counters that begin with this process: only the latest report counts, and
// any may be lost.
type HarmTotals struct {
	Harvested float64 // CPU seconds that batch work used
	Primary   float64 // CPU seconds that the primary used
	Delay     float64 // seconds that it waited for a CPU because batch work ran
	Sensor    string  // how Delay was measured, "" if it was not
	Budget    float64 // of Delay, per CPU second of the primary
}

// HarmAccount is what an actor leaves to the next one of its process: how far it
// has accounted for what was reported. The zero value accounts for nothing.
type HarmAccount struct {
	until int64 // Unix nanoseconds, by the log's clock
	HarmTotals
	owed *subjects.Harmed
}

// harm adds up what Harmed events report.
type harm struct {
	*facts

	// From the log.

	until     int64  // end of the last interval that counts, Unix nanoseconds
	evictions uint32 // for the primary's sake, that no interval has counted

	// Known to this process only.

	latest *HarmTotals // the last report
	began  bool
	since  HarmAccount // the beginning of the present interval, and the interval owed
	final  bool        // no other interval follows
}

// begin opens the first interval. It begins now, or where an earlier actor of this
// process stopped, unless the log has a later interval. What the earlier actor owed
// stays owed unless the log has it. No event of the earlier actor can reach the log
// any more: its last batch came back before this term or never will.
func (h *harm) begin() {
	earlier := h.cfg.HarmAccount
	h.began = true
	if earlier.until == 0 || h.until > earlier.until {
		h.since = HarmAccount{until: h.now().UnixNano(), HarmTotals: *h.latest}
		return
	}
	h.since = earlier
	if earlier.owed != nil && h.until >= earlier.owed.To {
		h.since.owed = nil
	}
}

// closeInterval ends the interval when it is due: after ten minutes, after one in
// which tasks were evicted, and before the host leaves. The interval is then owed to
// the log, under whatever term, until it stands there.
func (h *harm) closeInterval() {
	if h.latest == nil {
		return
	}
	if !h.began {
		h.begin()
	}
	if h.since.owed != nil || h.final || !h.due() {
		return
	}
	h.since.owed = h.harmedEvent()
	h.since.until, h.since.HarmTotals, h.final = h.since.owed.To, *h.latest, h.leaving
}

// due reports whether the present interval is to end.
func (h *harm) due() bool {
	lasted := time.Duration(h.now().UnixNano() - h.since.until)
	return lasted >= harmInterval || lasted >= evictionInterval && h.evictions > 0 || h.leaving && !h.owesEnds()
}

// harmedEvent is the present interval, which ends now.
func (h *harm) harmedEvent() *subjects.Harmed {
	latest, since := h.latest, h.since
	from := max(since.until, h.until)
	return &subjects.Harmed{
		Host: h.cfg.Host, Tenant: h.cfg.Tenant, From: from, To: max(from, h.now().UnixNano()),
		Harvested: max(latest.Harvested-since.Harvested, 0), Primary: max(latest.Primary-since.Primary, 0),
		Delay: max(latest.Delay-since.Delay, 0), Sensor: latest.Sensor, Budget: latest.Budget,
		Evictions: h.evictions,
	}
}

// appendOwed adds the interval that is owed.
func (h *harm) appendOwed(events []subjects.Event) []subjects.Event {
	if h.since.owed == nil || len(events) == actors.MaxBatch {
		return events
	}
	e := *h.since.owed
	e.Term = h.term
	return append(events, &e)
}

// foldHarmed applies an interval of this host as the ledger does. An interval that is
// owed is settled by it even if the ledger voids it: it would void it again.
func (h *harm) foldHarmed(at time.Time, e *subjects.Harmed) {
	if e.Term != h.term {
		return
	}
	if owed := h.since.owed; owed != nil && owed.From == e.From && owed.To == e.To {
		h.since.owed = nil
	}
	if e.From >= h.until && e.To <= at.Add(maxClockSkew).UnixNano() {
		h.until = e.To
		h.evictions -= min(e.Evictions, h.evictions)
	}
}

// countEviction counts an eviction for the primary's sake that the ledger accepts.
func (h *harm) countEviction(e subjects.Event) {
	if e, ok := e.(*subjects.Evicted); ok && e.Reason == subjects.ReasonReserve {
		h.evictions++
	}
}

// accountForNext is the account from which the next actor of this process is to continue.
func (h *harm) accountForNext() HarmAccount {
	if !h.began {
		return h.cfg.HarmAccount
	}
	return h.since
}
