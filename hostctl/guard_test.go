package hostctl

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"lull/hostctl/actor"
	"lull/hostctl/guard"
	"lull/hostctl/slots"
	"lull/subjects"
	"lull/subjects/spec"
)

// suffering is a primary of one core that waits so many seconds per second.
type suffering struct {
	began time.Time
	delay atomic.Int64 // microseconds so far
	hurts atomic.Bool
}

func (s *suffering) Read() (guard.Waits, error) {
	if s.hurts.Load() {
		s.delay.Add(25_000)
	}
	return guard.Waits{Ran: time.Since(s.began).Seconds(), Delayed: float64(s.delay.Load()) / 1e6}, nil
}

func TestGuardTakesCoresWhileThePrimarySuffersAndGivesThemBack(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	primary := &suffering{began: time.Now()}
	cfg.Sensor = primary
	h := w.host(cfg)
	if n := h.cores(); n < 2 || !h.Capabilities().Cores.OK() {
		t.Skipf("%d cores, sets of cores: %v", n, h.Capabilities().Cores)
	}
	w.submit("job", spec.Stage{Argv: sh("sleep 60")})
	h.assign("job", 0, 0, 0)
	next[*subjects.Started](w, nil)
	primary.hurts.Store(true)
	eventually(t, "batch has fewer cores", func() bool {
		cores, why, budget := h.Guarded()
		return cores < float64(h.cores()) && strings.Contains(why, "the primary waited") && budget > 0
	})
	primary.hurts.Store(false)
	eventually(t, "batch has them back", func() bool {
		cores, why, _ := h.Guarded()
		return cores >= float64(h.cores()) && why == ""
	})
}

func TestGuardEvictsThroughTheActor(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("alpha"))
	w.submit("job", spec.Stage{Argv: sh("sleep 60"), Tasks: 2})
	h.assign("job", 0, 0, 0)
	young := h.assign("job", 0, 1, 1)
	for range 2 {
		next[*subjects.Started](w, nil)
	}
	h.report(actor.Relieve{})
	if e, _ := next[*subjects.Evicted](w, nil); e.Attempt != young || e.Reason != subjects.ReasonReserve {
		t.Errorf("%+v, want attempt %d for the reserve", e, young)
	}
}

// What the guard froze stays so when the pool resumes, and the other way round.
func TestGuardAndPoolFreezeIndependently(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("alpha"))
	file := filepath.Join(h.store.Root(), "ticks")
	write(t, file, "")
	if err := os.Chmod(file, 0o666); err != nil {
		t.Fatal(err)
	}
	h.policy.Write = append(h.policy.Write, file)
	s := h.slots[0]
	for _, c := range []struct {
		by     slots.Holder
		on     bool
		frozen bool
	}{{slots.ByGuard, true, true}, {slots.ByPool, true, true}, {slots.ByGuard, false, true}, {slots.ByPool, false, false}} {
		h.wish(c.by, c.on)
		eventually(t, "the wish is carried out", func() bool {
			return s.HeldBy(c.by) == c.on
		})
		if got := s.Frozen(); got != c.frozen {
			t.Errorf("%+v: frozen is %v", c, got)
		}
	}
}

// A new term is a new actor: it must hear that tasks are frozen.
func TestNewTermKnowsOfTheFreeze(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	a, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	a.guardian.mu.orders = guard.Orders{Cores: 1, Frozen: true, Why: "frozen for a test"}
	if got, want := a.guardian.frozen(), (actor.Guarded{Frozen: true, Why: "frozen for a test"}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if cores, why, _ := a.Guarded(); cores > 0 || why != "frozen for a test" {
		t.Errorf("%v cores, %q", cores, why)
	}
	h := w.run(a, cfg)
	w.submit("job", spec.Stage{Argv: sh("true")})
	h.assign("job", 0, 0, 0)
	// The loop finds nothing to freeze for and lets go; whichever came first.
	next(w, func(e subjects.Event) bool {
		switch e := e.(type) {
		case *subjects.Declined:
			return e.Reason == subjects.ReasonReserve
		case *subjects.Finished:
			return true
		}
		return false
	})
}

func TestPressureTriggerEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- pressed(ctx, "some 100000 2000000", func() {}) }() // a window that everybody gets
	cancel()
	if err := <-ended; err != nil {
		t.Skip("no triggers here: ", err)
	}
	if err := pressed(t.Context(), "some time", func() {}); err == nil || !strings.Contains(err.Error(), "some time") {
		t.Errorf("a trigger that is none: %v", err)
	}
}

func TestUnknownEvictionIsRefused(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	cfg.Evict = "nobody"
	if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), "youngest or least-work") {
		t.Errorf("%v", err)
	}
}

func TestGuardMetrics(t *testing.T) {
	r := prometheus.NewRegistry()
	m, err := newGuardGauges(r, "h")
	if err != nil {
		t.Fatal(err)
	}
	m.show(guard.Orders{Cores: 3, Frozen: true, Evict: true}, true, 1500*time.Millisecond)
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]float64{}
	for _, f := range families {
		shown[f.GetName()] = f.GetMetric()[0].GetGauge().GetValue() + f.GetMetric()[0].GetCounter().GetValue()
	}
	if len(shown) != 7 || shown["lull_guard_longest_gap_seconds"] != 1.5 || shown["lull_guard_cores"] != 3 || shown["lull_guard_evictions_asked_total"] != 1 {
		t.Errorf("shown: %v", shown)
	}
}
