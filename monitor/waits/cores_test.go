package waits

import (
	"encoding/binary"
	"testing"
	"time"
)

func TestParseCore(t *testing.T) {
	for _, c := range []struct {
		kind, waiter, queued uint64
		want                 Core
	}{
		{nobody, 0, 5, Core{}},
		{primary, 7, 40, Core{Primary: true, Waiter: 7, Waits: 60}},
		{batch, 7, 140, Core{Batch: true, Waiter: 7}}, // queued this moment
	} {
		record := make([]byte, recordSize)
		binary.NativeEndian.PutUint64(record[atKind:], c.kind)
		binary.NativeEndian.PutUint64(record[atWaiter:], c.waiter)
		binary.NativeEndian.PutUint64(record[atQueued:], c.queued)
		if got := parseCore(record, 100); got != c.want {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// Two threads of the primary that share a CPU: one runs, one waits.
func TestCoresShowWhoWaits(t *testing.T) {
	s := newStage(t)
	sensor := s.open([]string{s.batch}, []string{s.primary})
	for range 2 {
		_, out := s.in(s.primary, "sh", "-c", "echo; while :; do :; done")
		s.hear(out)
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	deadline := time.After(20 * time.Second)
	for {
		cores, ok := sensor.Cores(nil)
		if !ok || len(cores) == 0 {
			t.Fatalf("no cores: %v", cores)
		}
		if c := cores[0]; c.Primary && c.Waiter != 0 && c.Waits > 0 && c.Waits < time.Second {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("nobody ever waited: %+v", cores)
		}
	}
}

func TestOnlyTracersSeeCores(t *testing.T) {
	s := &Sensor{source: &pressure{}}
	if cores, ok := s.Cores(nil); ok {
		t.Errorf("cores of a file: %v", cores)
	}
}

func BenchmarkCores(b *testing.B) {
	s := newStage(b)
	sensor := s.open([]string{s.batch}, nil)
	var cores []Core
	for b.Loop() {
		cores, _ = sensor.Cores(cores[:0])
	}
}
