package hostctl

import (
	"testing"
	"time"

	"lull/actors/memory"
	"lull/hostctl/guard"
	"lull/hostctl/guarding"
	"lull/hostctl/hostctltest"
)

// ticking is a sensor that costs nothing.
type ticking struct{ w guard.Waits }

func (s *ticking) Read() (guard.Waits, error) {
	s.w.Ran += 0.01
	return s.w, nil
}

// BenchmarkGuardTurn is one iteration of the guard's loop beside 16 tasks. At
// forty a second, every fourth looks at memory, disks and queues too.
func BenchmarkGuardTurn(b *testing.B) {
	a, err := New(Config{Bus: memory.New("test"), Lookup: &hostctltest.Lookup{}, Host: "bench", Data: b.TempDir(), Options: Options{Slots: 16}, MinFree: 1, Sensor: &ticking{}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := a.close(b.Context(), nil); err != nil {
			b.Error(err)
		}
		if err := a.store.Close(); err != nil {
			b.Error(err)
		}
	})
	cfg := a.guardConfig()
	cfg.Tasks = func() int { return 16 }
	if a.guardian, err = guarding.New(cfg); err != nil {
		b.Fatal(err)
	}
	now := time.Now()
	for b.Loop() {
		now = now.Add(25 * time.Millisecond)
		a.guardian.Turn(now)
	}
}
