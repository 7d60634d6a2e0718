package monitor

import (
	"bytes"
	"errors"
	"math"
	"testing"
	"testing/synctest"

	"lull/monitor/waits"
	"lull/subjects"
)

// script is a sensor with readings written beforehand; after the last one it fails.
type script []waits.Reading

func (s *script) Read() (waits.Reading, error) {
	if len(*s) == 0 {
		return waits.Reading{}, errors.New("the kernel took the programs away")
	}
	r := (*s)[0]
	*s = (*s)[1:]
	return r, nil
}

func about(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestThePrimarysWaits(t *testing.T) {
	totals := &Counters{}
	r := newWaitsReader(&script{
		{Name: "eBPF"},
		{Ran: 1, Runnable: 0.5, Blocked: 0.25, Delayed: 0.1, Name: "eBPF"},
		{Ran: 5, Runnable: 0.7, Blocked: 0.25, Delayed: 0.2, Name: "eBPF"},
	}, totals).read
	if u := after(t, r, 0); u.Sensor != "" {
		t.Errorf("waits after one reading = %+v, want none", u)
	}
	if u := after(t, r, 1); !about(u.Running, 1) || !about(u.Runnable, 0.5) || !about(u.Blocked, 0.25) || !about(u.Delay, 0.1) || u.Sensor != "eBPF" {
		t.Errorf("after a second: %+v, want 1 running, 0.5 runnable, 0.25 blocked, 0.1 delayed by eBPF", u)
	}
	u := after(t, r, 3)
	if !about(u.Running, 2) || !about(u.Runnable, 0.1) || u.Blocked > 0 || !about(u.Delay, 0.04) {
		t.Errorf("after three seconds: %+v, want counts of the last two, 2 and 0.1, and a delay of all three, 0.04", u)
	}
	if got := totals.mu.Totals; !about(got.Primary, 5) || !about(got.Delay, 0.2) || got.Sensor != "eBPF" {
		t.Errorf("totals = %+v, want 5 primary, 0.2 delayed by eBPF", got)
	}
	if _, err := r(epoch); err == nil {
		t.Error("read with a sensor that fails = nil error, want an error")
	}
}

func TestTheDelayIsOfTenSeconds(t *testing.T) {
	readings := &script{}
	for i := range 30 {
		r := waits.Reading{Ran: float64(i), Name: "eBPF"}
		if i >= 5 {
			r.Delayed = 1 // all of it in the fifth second
		}
		*readings = append(*readings, r)
	}
	r := newWaitsReader(readings, &Counters{}).read
	for i := range 30 {
		u := after(t, r, float64(i))
		want := 0.0
		if i >= 5 && i < 15 {
			want = 1 / float64(min(i, 10))
		}
		if !about(u.Delay, want) {
			t.Errorf("second %d: delay %g, want %g", i, u.Delay, want)
		}
	}
}

func TestAPrimaryAtRestIsNotDelayed(t *testing.T) {
	r := newWaitsReader(&script{{Name: "eBPF"}, {Name: "eBPF"}}, &Counters{}).read
	after(t, r, 0)
	if u := after(t, r, 1); u.Delay != 0 || u.Running != 0 || u.Sensor != "eBPF" {
		t.Errorf("usage = %+v, want 0 running and delayed by eBPF", u)
	}
}

// guardFunc is a Guard.
type guardFunc func() (float64, string, float64)

func (g guardFunc) Guarded() (float64, string, float64) { return g() }

func TestSamplesTellOfTheGuard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := scripted(t, new(bytes.Buffer), steady())
		m.config.Guard = guardFunc(func() (float64, string, float64) { return 1.5, "over the budget", 0.02 })
		run(t, m, func(n int, u subjects.Usage) bool {
			if u.Cap != 1.5 || u.Guarded != "over the budget" || u.Budget != 0.02 {
				t.Errorf("usage = %+v, want cap 1.5, budget 0.02 and over the budget", u)
			}
			return n < 2
		})
		if m.counters.Totals().Budget != 0.02 {
			t.Errorf("totals = %+v, want budget 0.02", m.counters.Totals())
		}
	})
}

func TestTotalsAddUp(t *testing.T) {
	totals, batch := &Counters{}, &fakeBatch{seconds: 5}
	root := tree(t, host)
	r := newCPU(opened(t, root), &Config{Batch: batch}, totals).read
	put(t, root, "proc/stat", stat(100, 0, 0, 0))
	after(t, r, 0)
	put(t, root, "proc/stat", stat(104, 0, 0, 0))
	batch.seconds = 6
	after(t, r, 2)
	if got := totals.mu.Totals; !about(got.Harvested, 1) || math.Abs(got.Primary-3) > 0.02 || got.Sensor != "" {
		t.Errorf("totals after four seconds, one of batch work = %+v, want 1 harvested, 3 primary", got)
	}
	batch.seconds = 0.5 // a new cgroup
	after(t, r, 4)
	if got := totals.mu.Totals; !about(got.Harvested, 1) {
		t.Errorf("totals after a counter fell = %+v, want 1 harvested", got)
	}
}
