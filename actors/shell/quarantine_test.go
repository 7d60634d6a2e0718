package shell

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/prometheus/client_golang/prometheus"

	"lull/actors"
	"lull/subjects"
)

// stuck is a bus whose quarantine does not answer until the test permits it.
type stuck struct {
	actors.Bus
	let  chan struct{}
	kept atomic.Int64
}

func (*stuck) Pool() subjects.Pool { return "test" }

func (b *stuck) Quarantine(ctx context.Context, _, _, _ string, _ []byte) error {
	select {
	case <-b.let:
		b.kept.Add(1)
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A flood of garbage must cost neither memory without bound nor a line of log
// each, and what had room is kept.
func TestAFloodOfGarbageIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		bus, lines := &stuck{let: make(chan struct{})}, new(strings.Builder)
		registry := prometheus.NewRegistry()
		cfg := Config{Role: actors.Role{Name: "a", Partition: "p"}, Bus: bus, Registerer: registry, Logger: slog.New(slog.NewTextHandler(lines, nil))}
		s := &Shell{cfg: cfg, quarantine: newQuarantine(), metrics: newMetrics(&cfg), ctx: ctx}
		s.goQuarantine()
		const flood, size = 100_000, 10_000
		body := make([]byte, size)
		for i := range flood {
			s.toQuarantine("log", fmt.Sprint(i), errors.New("bytes out of nowhere"), body)
		}
		if held := s.quarantine.bytes.Load(); held > quarantineBytes+size {
			t.Errorf("bytes held = %d, want at most %d", held, quarantineBytes+size)
		}
		close(bus.let)
		synctest.Wait()
		skipped := counted(t, registry, "lull_shell_quarantine_skipped_total")
		if kept := bus.kept.Load(); kept < quarantineBytes/size || kept+skipped != flood {
			t.Errorf("%d kept and %d skipped, want %d in all and at least %d kept", kept, skipped, flood, quarantineBytes/size)
		}
		if n := strings.Count(lines.String(), "\n"); n != 1 || s.quarantine.bytes.Load() != 0 {
			t.Errorf("%d lines of log, %d bytes held, want 1, 0:\n%s", n, s.quarantine.bytes.Load(), lines)
		}
		cancel()
		s.workers.Wait()
	})
}

// counted reads a counter out of a registry.
func counted(t *testing.T, registry *prometheus.Registry, name string) int64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			return int64(f.GetMetric()[0].GetCounter().GetValue())
		}
	}
	t.Fatalf("metric %s is missing, want it registered", name)
	return 0
}
