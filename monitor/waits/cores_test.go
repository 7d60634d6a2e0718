package waits

import (
	"errors"
	"testing"
	"time"
)

// held is a thread that began to wait at a time.
func held(thread, at uint64) uint64 { return at>>unitBits<<threadBits | thread }

func TestLook(t *testing.T) {
	const now = 10 * uint64(time.Second)
	ago := func(d time.Duration) uint64 { return now - uint64(d) }
	for _, c := range []struct {
		kind   uint64
		places []uint64
		want   Core
	}{
		{other, nil, Core{}},
		{primary, []uint64{held(7, ago(1024))}, Core{Primary: true, Waiting: 1, Threads: [places]Waiter{{7, 1024}}}},
		{batch, []uint64{0, held(threadMask, now)}, Core{Batch: true, Waiting: 1, Threads: [places]Waiter{{threadMask, 0}}}},
		{batch, []uint64{held(7, now+uint64(time.Second))}, Core{Batch: true, Waiting: 1, Threads: [places]Waiter{{7, 0}}}},
		{primary, []uint64{held(9, ago(2*staleWait)), held(7, ago(2048))}, Core{Primary: true, Waiting: 1, Threads: [places]Waiter{{7, 2048}}}},
	} {
		record := make([]uint64, atDelays/8)
		record[atKind/8] = c.kind
		copy(record[atPlaces/8:], c.places)
		got := readCore(record, now)
		got.Stint = 0
		if got != c.want {
			t.Errorf("%+v: %+v, want %+v", c, got, c.want)
		}
	}
}

func TestAThreadThatSeemsToWaitForEverIsForgotten(t *testing.T) {
	record := make([]uint64, atDelays/8)
	record[atPlaces/8] = held(7, 0)
	if readCore(record, uint64(2*staleWait)); record[atPlaces/8] != 0 {
		t.Errorf("place after a lost thread = %v, want it free", record[atPlaces/8])
	}
}

func TestWaitsAreCountedWhereTheClockWrapsAround(t *testing.T) {
	const wrap = 1 << (64 - threadBits + unitBits)
	if got := waitOf(held(7, wrap-2048), wrap+1024); got != 3072 {
		t.Errorf("waitOf over a wrap = %v, want 3072", got)
	}
}

// cores looks at the stage until they are as they should be.
func (s *stage) cores(sensor *Sensor, what string, right func([]Core) bool) {
	s.t.Helper()
	cores, err := sensor.Cores()
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() {
		if err := cores.Close(); err != nil {
			s.t.Error(err)
		}
	}()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	deadline := time.After(time.Minute)
	for {
		seen := cores.Look(nil)
		if len(seen) == 0 {
			s.t.Fatal("Look() = no cores, want at least 1")
		}
		if right(seen) {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			s.t.Fatalf("Look() = %+v after a minute, want %s", seen, what)
		}
	}
}

// Four threads of the primary share a CPU: one runs, the others wait.
func TestCoresShowAllThatWait(t *testing.T) {
	s := newStage(t)
	sensor := s.open([]string{s.batch}, []string{s.primary})
	for range 4 {
		_, out := s.in(s.primary, "sh", "-c", "echo; while :; do :; done")
		s.hear(out)
	}
	s.cores(sensor, "three waiting", func(cores []Core) bool {
		c := cores[0]
		if c.Waiting > 4 { // one that is about to run, and has not left the queue
			t.Fatalf("threads that wait = %d, want at most 4: %+v", c.Waiting, c)
		}
		return c.Primary && c.Waiting == 3 && c.Threads[0].Waited > 0
	})
}

func TestQueuesAreEmptyWhenNoThreadWaits(t *testing.T) {
	s := newStage(t)
	sensor := s.open([]string{s.batch}, []string{s.primary})
	s.echoes(1000)
	s.cores(sensor, "empty queues", func(cores []Core) bool {
		for _, c := range cores {
			if c.Waiting > 0 {
				return false
			}
		}
		return true
	})
}

func TestOnlyTracersSeeCores(t *testing.T) {
	s := &Sensor{source: &pressure{}}
	if _, err := s.Cores(); !errors.Is(err, ErrNoSensor) {
		t.Errorf("Cores() of a sensor that reads files = %v, want ErrNoSensor", err)
	}
}

func BenchmarkLook(b *testing.B) {
	s := newStage(b)
	cores, err := s.open([]string{s.batch}, nil).Cores()
	if err != nil {
		b.Fatal(err)
	}
	defer cores.Close() //nolint:errcheck // the process ends
	var seen []Core
	b.ReportAllocs()
	for b.Loop() {
		seen = cores.Look(seen[:0])
	}
}
