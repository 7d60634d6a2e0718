package hostctl

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/guard"
	"lull/hostctl/slots"
	"lull/subjects"
	"lull/subjects/spec"
)

// waitingPrimary is a sensor that reports a primary of one core, which is delayed while waits is set.
type waitingPrimary struct {
	began time.Time
	delay atomic.Int64 // microseconds so far
	waits atomic.Bool
}

func (s *waitingPrimary) Read() (guard.Waits, error) {
	if s.waits.Load() {
		s.delay.Add(25_000)
	}
	return guard.Waits{Ran: time.Since(s.began).Seconds(), Delayed: float64(s.delay.Load()) / 1e6}, nil
}

func TestGuardTakesCoresWhileThePrimaryIsDelayedAndGivesThemBack(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	primary := &waitingPrimary{began: time.Now()}
	cfg.Sensor = primary
	h := w.host(cfg)
	if n := cores(); n < 2 || !h.Capabilities().Cores.OK() {
		t.Skipf("needs two cores and sets of cores: %d cores, %v", n, h.Capabilities().Cores)
	}
	w.Submit("job", spec.Stage{Argv: sh("sleep 60")})
	h.assign("job", 0, 0, 0)
	next[*subjects.Started](w, nil)
	primary.waits.Store(true)
	eventually(t, "batch has fewer cores", func() bool {
		left, why, budget := h.Guarded()
		return left < float64(cores()) && strings.Contains(why, "the primary waited") && budget > 0
	})
	primary.waits.Store(false)
	eventually(t, "batch has them back", func() bool {
		left, why, _ := h.Guarded()
		return left >= float64(cores()) && why == ""
	})
}

func TestGuardEvictsThroughTheActor(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("alpha"))
	w.Submit("job", spec.Stage{Argv: sh("sleep 60"), Tasks: 2})
	h.assign("job", 0, 0, 0)
	young := h.assign("job", 0, 1, 1)
	for range 2 {
		next[*subjects.Started](w, nil)
	}
	h.report(actor.Relieve{})
	if e, _ := next[*subjects.Evicted](w, nil); e.Attempt != young || e.Reason != subjects.ReasonReserve {
		t.Errorf("Evicted = %+v, want attempt %d for the reserve", e, young)
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
	s := h.slots.All()[0]
	for _, c := range []struct {
		by     slots.Holder
		on     bool
		frozen bool
	}{{slots.ByGuard, true, true}, {slots.ByPool, true, true}, {slots.ByGuard, false, true}, {slots.ByPool, false, false}} {
		h.freezer.Set(c.by, c.on)
		eventually(t, "the wish is carried out", func() bool {
			return s.Holds.Has(c.by) == c.on
		})
		if got := s.Holds.Any(); got != c.frozen {
			t.Errorf("%+v: frozen = %v, want %v", c, got, c.frozen)
		}
	}
}

func TestUnknownEvictionIsRefused(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	cfg.Evict = "nobody"
	if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), "youngest or least-work") {
		t.Errorf("New(evict: nobody) = %v, want an error with the choices", err)
	}
}
