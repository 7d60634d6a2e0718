package hostctl

import (
	"context"
	"testing"

	"lull/actors"
	"lull/actors/memory"
	"lull/hostctl/hostctltest"
	"lull/subjects"
	"lull/subjects/spec"
)

// BenchmarkTrue is what the agent costs a task that does nothing: two slots,
// the log in memory, the slotter's part played by the loop. Beside it stands
// the shim alone (shim.BenchmarkTrue).
func BenchmarkTrue(b *testing.B) {
	bus := memory.New("test")
	w := &hostctltest.Lookup{Bus: bus}
	w.AddJob(&subjects.Submitted{Job: "job", Spec: spec.Job{Stages: []spec.Stage{{
		Name: "s", Argv: []string{"/bin/true"}, Tasks: uint32(b.N), CPU: 1, Memory: 256 << 20,
	}}}})
	agent, err := New(Config{Bus: bus, Lookup: w, Host: "bench", Data: b.TempDir(), Options: Options{Slots: 2}, MinFree: 1})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- agent.Run(ctx) }()
	log, err := bus.Follow(b.Context(), 1, "")
	if err != nil {
		b.Fatal(err)
	}
	drive(b, bus, log)
	b.StopTimer()
	cancel()
	if err := <-ended; err != nil {
		b.Fatal(err)
	}
}

// drive assigns a task to each slot that becomes free, b.N in all.
func drive(b *testing.B, bus actors.Bus, log <-chan actors.Delivery) {
	var term uint64
	slots := map[uint64]uint32{}
	assigned, done := 0, 0
	assign := func(slot uint32) {
		if assigned == b.N {
			return
		}
		m, err := subjects.Encode("test", &subjects.Assigned{Host: "bench", Job: "job",
			TaskID: subjects.TaskID{Task: uint32(assigned)}, Term: term, Try: 1, Slot: slot, Width: 1})
		if err != nil {
			b.Fatal(err)
		}
		seq, err := bus.Append(b.Context(), []subjects.Message{m}, actors.Fence{})
		if err != nil {
			b.Fatal(err)
		}
		slots[seq] = slot
		assigned++
	}
	for done < b.N {
		d := <-log
		e, err := subjects.Decode("test", d.Subject, d.Body)
		if err != nil {
			b.Fatal(err)
		}
		switch e := e.(type) {
		case *subjects.Joined:
			term = d.Seq
			b.ResetTimer()
			assign(0)
			assign(1)
		case *subjects.Finished:
			done++
			assign(slots[e.Attempt])
		case *subjects.Failed, *subjects.Declined, *subjects.Evicted:
			b.Fatalf("%+v", e)
		}
	}
}
