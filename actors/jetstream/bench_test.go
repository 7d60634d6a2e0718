package jetstream_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/actors/jetstream/embedded"
	"lull/actors/jetstream/embedded/embeddedtest/bustest"
	"lull/actors/shell"
	"lull/subjects"
)

func durable(b *testing.B) *jetstream.Bus {
	b.Helper()
	return bustest.Start(b, embedded.Config{SyncAlways: true, Pools: []subjects.Pool{"bench"}}, "bench")
}

// BenchmarkAppend measures one durable batch, acknowledged, one in flight.
func BenchmarkAppend(b *testing.B) {
	for _, size := range []int{1, 2, 10, 100, 1000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			bus := durable(b)
			batch := make([]subjects.Message, size)
			for i := range batch {
				batch[i] = assignment(b, bus, i)
			}
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				if _, err := bus.Append(b.Context(), batch, actors.Fence{}); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(size*b.N)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
		})
	}
}

func assignment(b *testing.B, bus *jetstream.Bus, i int) subjects.Message {
	m, err := subjects.Encode(bus.Pool(), &subjects.Assigned{
		Host: "host-17", Job: "01jd0000000000000000000000", TaskID: subjects.TaskID{Stage: 1, Task: uint32(i)},
		Term: 5, Try: 1, Slot: 3, Width: 1, Why: subjects.Why{Rule: "mp-ii", Residual: 0.71, Norm: 1.2, Expected: 3.4, Slack: 50},
	})
	if err != nil {
		b.Fatal(err)
	}
	return m
}

// BenchmarkThrough measures an event's whole way: decided, encoded, appended
// durably, delivered, decoded, folded.
func BenchmarkThrough(b *testing.B) {
	bus := durable(b)
	decider := &decider{left: b.N, folded: make(chan struct{})}
	service, err := shell.New(shell.Config{Role: actors.Role{Name: "bench"}, Bus: bus, Actor: decider})
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	b.ResetTimer()
	go service.Run(ctx) //nolint:errcheck // ends with the benchmark
	<-decider.folded
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
	stop()
	<-service.Done()
}

// decider assigns task after task, as many as one batch holds.
type decider struct {
	left   int
	folded chan struct{}
}

func (d *decider) Step(in actors.Input) (out actors.Output) {
	if in.Entry != nil {
		if _, ok := in.Entry.Event.(*subjects.Assigned); ok {
			if d.left--; d.left == 0 {
				close(d.folded)
			}
		}
	}
	if !in.Decide {
		return out
	}
	for i := range min(d.left, actors.MaxBatch) {
		out.Events = append(out.Events, &subjects.Assigned{
			Host: "host-17", Job: "01jd0000000000000000000000", TaskID: subjects.TaskID{Stage: 1, Task: uint32(i)},
			Term: 5, Try: 1, Slot: 3, Width: 1, Why: subjects.Why{Rule: "mp-ii", Residual: 0.71, Norm: 1.2, Expected: 3.4, Slack: 50},
		})
	}
	return out
}

func (d *decider) Snapshot() ([]byte, error) { return nil, nil }
func (d *decider) Restore([]byte) error      { return nil }

// BenchmarkEcho measures an append of one event until a reader has it.
func BenchmarkEcho(b *testing.B) {
	bus := durable(b)
	messages, err := bus.Follow(b.Context(), 1, "")
	if err != nil {
		b.Fatal(err)
	}
	batch := []subjects.Message{assignment(b, bus, 1)}
	for b.Loop() {
		if _, err := bus.Append(b.Context(), batch, actors.Fence{}); err != nil {
			b.Fatal(err)
		}
		<-messages
	}
}
