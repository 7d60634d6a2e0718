package guarding

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"

	"lull/hostctl/actor"
	"lull/hostctl/cgroup"
	"lull/hostctl/guard"
)

// fakeBounds write down what is set, and fail while failure is not nil.
type fakeBounds struct {
	done    []string
	failure error
	hold    chan struct{} // Reclaim waits for it
	foreign []cgroup.Foreign
}

func (f *fakeBounds) note(format string, v any) error {
	f.done = append(f.done, fmt.Sprintf(format, v))
	return f.failure
}
func (f *fakeBounds) SetCores(n int) error        { return f.note("cores %d", n) }
func (f *fakeBounds) SetMemoryHigh(n int64) error { return f.note("high %d", n) }
func (f *fakeBounds) SetDisk(n int64) error       { return f.note("disk %d", n) }
func (f *fakeBounds) Raise(on bool) error         { return f.note("raised %v", on) }
func (f *fakeBounds) freeze(on bool) error        { return f.note("frozen %v", on) }
func (f *fakeBounds) yield(on bool) error         { return f.note("yields %v", on) }
func (f *fakeBounds) report(r any)                { _ = f.note("%+v", r) }
func (f *fakeBounds) Restore() []cgroup.Foreign   { return f.foreign }
func (f *fakeBounds) Close()                      {}
func (f *fakeBounds) Reclaim(int64) error         { <-f.hold; return cgroup.ErrHeld }

func (f *fakeBounds) took() []string {
	done := f.done
	f.done = nil
	return done
}

func actuatorOn(f *fakeBounds) actuator {
	return newActuator(f, 4, f.freeze, f.yield, f.report, slog.New(slog.DiscardHandler))
}

func TestOnlyWhatChangedIsWritten(t *testing.T) {
	f := &fakeBounds{}
	h := actuatorOn(f)
	all := guard.Orders{Cores: 4}
	for _, c := range []struct {
		orders guard.Orders
		raised bool
		want   []string
	}{
		{all, false, nil},
		{guard.Orders{Cores: 3}, true, []string{"raised true", "cores 3"}},
		{guard.Orders{Cores: 3}, false, []string{"raised false"}},
		{guard.Orders{Cores: 3, Yield: true}, false, []string{"yields true"}},
		{guard.Orders{Cores: 3, Yield: true}, true, []string{"raised true", "yields false"}}, // its ration
		{guard.Orders{Cores: 3}, false, []string{"raised false"}},
		{guard.Orders{Cores: 3, MemoryHigh: 7, DiskRate: 9}, false, []string{"high 7", "disk 9"}},
		{guard.Orders{Cores: 1, Frozen: true, Why: "w"}, false, []string{
			"cores 1", fmt.Sprintf("%+v", actor.Guarded{Frozen: true, Why: "w"}), "frozen true", "high 0", "disk 0"}},
		{guard.Orders{Cores: 1, Frozen: true, Evict: true, AtOnce: true, EvictReason: "f"}, false, []string{fmt.Sprintf("%+v", actor.Relieve{Why: "f", AtOnce: true})}},
	} {
		h.apply(c.orders, c.raised)
		if got := f.took(); !slices.Equal(got, c.want) {
			t.Errorf("%+v: did %q, want %q", c.orders, got, c.want)
		}
	}
	h.release(4)
	if got := f.took(); !slices.Contains(got, "cores 4") || !slices.Contains(got, "frozen false") {
		t.Errorf("release(4) = %q, want cores 4 and frozen false", got)
	}
}

func TestWhatFailsIsTriedAgainAndWhatIsAbsentIsNot(t *testing.T) {
	for failure, want := range map[error]int{errors.New("busy"): 3, cgroup.ErrAbsent: 1} {
		f := &fakeBounds{failure: failure}
		h := actuatorOn(f)
		for range 3 {
			h.apply(guard.Orders{Cores: 2}, false)
		}
		if got := len(f.took()); got != want {
			t.Errorf("%v: %d attempts, want %d", failure, got, want)
		}
	}
}

func TestReclaimIsNotWaitedForNorDoneTwiceAtOnce(t *testing.T) {
	f := &fakeBounds{hold: make(chan struct{})}
	h := actuatorOn(f)
	for range 5 {
		h.apply(guard.Orders{Cores: 4, Reclaim: 1 << 20}, false)
	}
	f.hold <- struct{}{} // one alone takes it
	h.release(4)
}
