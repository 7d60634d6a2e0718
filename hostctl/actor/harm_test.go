package actor

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/subjects"
)

// harmedOf lets the actor decide and returns the interval that it reports, or nil.
func harmedOf(h *host) *subjects.Harmed {
	for _, e := range h.decide() {
		if e, ok := e.(*subjects.Harmed); ok {
			return e
		}
	}
	return nil
}

// after reports counters some time later.
func (h *host) after(d time.Duration, r HarmTotals) {
	h.now = h.now.Add(d)
	h.report(r)
}

func TestHarmIsSaidEveryTenMinutes(t *testing.T) {
	h := joined(Config{Cores: 4, Slots: 4, Tenant: "shop"})
	h.report(HarmTotals{Harvested: 5, Primary: 7, Delay: 1, Sensor: "eBPF", Budget: 0.02})
	begun := h.now
	h.after(harmInterval-time.Second, HarmTotals{Harvested: 50, Primary: 30, Delay: 2, Sensor: "eBPF", Budget: 0.02})
	if e := harmedOf(h); e != nil {
		t.Fatalf("Harmed before ten minutes are over = %+v, want none", e)
	}
	h.after(time.Second, HarmTotals{Harvested: 65, Primary: 37, Delay: 1.5, Sensor: "eBPF", Budget: 0.02})
	e := harmedOf(h)
	if e == nil {
		t.Fatal("Harmed after ten minutes = nil, want one")
	}
	want := subjects.Harmed{
		Host: "h", Term: h.term, Tenant: "shop", From: e.From, To: e.To,
		Harvested: 60, Primary: 30, Delay: 0.5, Sensor: "eBPF", Budget: 0.02,
	}
	if *e != want || e.To-e.From < int64(harmInterval) || e.From < begun.UnixNano() {
		t.Errorf("Harmed = %+v, want %+v", *e, want)
	}
	if again := harmedOf(h); again == nil || *again != *e {
		t.Errorf("Harmed before it is in the log = %+v, want %+v", again, e)
	}
	h.entry(e)
	if again := harmedOf(h); again != nil {
		t.Errorf("Harmed once it is in the log = %+v, want none", again)
	}
}

func TestEvictionsEndAnInterval(t *testing.T) {
	h := joined(Config{Cores: 4, Slots: 4})
	h.report(HarmTotals{})
	h.assign(0, 0)
	id := h.seq
	h.report(Relieve{})
	h.report(Ended{Attempt: id, Outcome: Evicted, Reason: subjects.ReasonReserve})
	for _, e := range h.decide() {
		h.entry(e)
	}
	if e := harmedOf(h); e != nil {
		t.Fatalf("Harmed at once = %+v, want none", e)
	}
	h.after(evictionInterval, HarmTotals{Harvested: 3})
	e := harmedOf(h)
	if e == nil || e.Evictions != 1 || e.Harvested < 3 {
		t.Fatalf("Harmed a minute later = %+v, want one eviction and at least 3 harvested", e)
	}
	h.entry(e)
	h.after(harmInterval, HarmTotals{Harvested: 4})
	if e := harmedOf(h); e == nil || e.Evictions != 0 {
		t.Errorf("the next Harmed = %+v, want no eviction", e)
	}
}

func TestEvictionsSurviveACrash(t *testing.T) {
	h := joined(Config{Cores: 4, Slots: 4})
	h.assign(0, 0)
	id := h.seq
	h.report(Relieve{})
	h.report(Ended{Attempt: id, Outcome: Evicted, Reason: subjects.ReasonReserve})
	for _, e := range h.decide() {
		h.entry(e)
	}
	b, err := h.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	next := New(Config{Host: "h", Cores: 4, Slots: 4})
	if err := next.Restore(b); err != nil || next.harm.evictions != 1 {
		t.Errorf("evictions to report after Restore = %d, %v, want 1", next.harm.evictions, err)
	}
}

func TestALeavingHostSaysItsHarmFirst(t *testing.T) {
	h := joined(Config{Cores: 4, Slots: 4})
	h.report(HarmTotals{})
	h.after(time.Second, HarmTotals{Harvested: 1})
	h.report(Leave{})
	events := h.decide()
	if len(events) != 1 {
		t.Fatalf("%d events, want one", len(events))
	}
	e, ok := events[0].(*subjects.Harmed)
	if !ok || e.Harvested < 1 {
		t.Fatalf("event = %+v, want Harmed with at least 1 harvested", events[0])
	}
	h.entry(e)
	if events := h.decide(); len(events) != 1 {
		t.Fatalf("%d events, want one", len(events))
	} else if _, ok := events[0].(*subjects.Left); !ok {
		t.Errorf("event = %+v, want Left", events[0])
	}
}

// truth is what batch work really used, and what this process counts of it. Its random numbers come
// from a seed: sequences drawn by rapid stay too short.
type truth struct {
	*model
	rng             *rand.Rand
	harvested, base float64
}

func newTruth(t *rapid.T) *truth {
	return &truth{model: newModel(t), rng: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))}
}

func (m *truth) report() {
	m.harvested += 10 * m.rng.Float64()
	m.now = m.now.Add([]time.Duration{time.Second, time.Minute, harmInterval}[m.rng.IntN(3)])
	m.tell()
}

// tell passes on the report that the shell makes every second.
func (m *truth) tell() {
	m.reports = append(m.reports, HarmTotals{Harvested: m.harvested - m.base, Primary: 1})
}

// rejoin begins a new term of the same process, with an actor that knows what
// the last one left.
func (m *truth) rejoin() {
	left := m.actor.HarmAccount()
	m.boot()
	m.actor.cfg.HarmAccount = left
}

func (m *truth) crash() {
	m.base = m.harvested
	m.boot()
}

func (m *truth) save() {
	b, err := m.actor.Snapshot()
	if err != nil {
		m.t.Fatal(err)
	}
	m.snapshot, m.snapSeq = b, m.read
}

// live simulates a host that harvests: it runs random steps of those given.
func (m *truth) live(steps int, what ...func()) {
	what = append(what, m.report, m.save, m.rejoin, m.settleDown,
		func() { m.reportNext() }, func() { m.fold() }, func() { m.fold() },
		func() { m.decide(false) }, func() { m.decide(true) })
	for range steps {
		what[m.rng.IntN(len(what))]()
	}
}

func (m *truth) total() (sum float64) {
	for account := range m.ledger.HarmAccounts() {
		sum += account.Total.Harvested
	}
	return sum
}

func TestHarmIsNeverCountedTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newTruth(t)
		for range 20 {
			m.live(10, m.crash)
			if got := m.total(); got > m.harvested+1e-6 {
				t.Fatalf("CPU seconds in the ledger = %g, want at most %g", got, m.harvested)
			}
		}
	})
}

func TestWithoutACrashAllHarmIsCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newTruth(t)
		m.tell()
		m.settleDown()
		m.live(100)
		m.tell()
		m.settleDown()
		m.reports = append(m.reports, Leave{})
		m.settleDown()
		if got := m.total(); math.Abs(got-m.harvested) > 1e-6 || !m.gone {
			t.Fatalf("CPU seconds in the ledger = %g, the host left: %v, want %g, true", got, m.gone, m.harvested)
		}
	})
}
