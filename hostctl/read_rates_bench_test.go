package hostctl

import (
	"context"
	"syscall"
	"testing"

	"lull/actors"
	"lull/actors/memory"
	"lull/hostctl/hostctltest"
	"lull/subjects"
	"lull/subjects/spec"
)

// BenchmarkReadRates is what measuring costs a host in a second: two tasks of
// three processes each. CPU counts, since on a busy machine the clock goes on.
func BenchmarkReadRates(b *testing.B) {
	const tasks = 2
	bus := memory.New("test")
	w := &hostctltest.Lookup{Bus: bus}
	w.AddJob(&subjects.Submitted{Job: "job", Spec: spec.Job{Stages: []spec.Stage{{
		Name: "s", Argv: sh("sleep 1000 | sleep 1000; true"), Tasks: tasks, CPU: 1, Memory: 256 << 20,
	}}}})
	agent, err := New(Config{Bus: bus, Lookup: w, Host: "bench", Data: b.TempDir(), Options: Options{Slots: tasks}, MinFree: 1})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- agent.Run(ctx) }()
	b.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			b.Error(err)
		}
	})
	begin(b, bus, tasks)
	running := 0
	before := cpuTime()
	for b.Loop() {
		meters := agent.attempts.Meters()
		for _, m := range meters {
			m.Measure()
		}
		running = len(meters)
	}
	if running != tasks {
		b.Errorf("%d tasks run", running)
	}
	b.ReportMetric(float64(cpuTime()-before)/float64(b.N)/tasks, "cpu-ns/task")
}

// cpuTime is what this process used so far, in nanoseconds.
func cpuTime() int64 {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return used.Utime.Nano() + used.Stime.Nano()
}

// begin assigns a task to each slot and waits until all run.
func begin(b *testing.B, bus actors.Bus, tasks uint32) {
	log, err := bus.Follow(b.Context(), 1, "")
	if err != nil {
		b.Fatal(err)
	}
	for left := tasks; left > 0; {
		d := <-log
		e, err := subjects.Decode("test", d.Subject, d.Body)
		if err != nil {
			b.Fatal(err)
		}
		switch e.(type) {
		case *subjects.Joined:
			for n := range tasks {
				m, err := subjects.Encode("test", &subjects.Assigned{Host: "bench", Job: "job",
					TaskID: subjects.TaskID{Task: n}, Term: d.Seq, Try: 1, Slot: n, Width: 1})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := bus.Append(b.Context(), []subjects.Message{m}, actors.Fence{}); err != nil {
					b.Fatal(err)
				}
			}
		case *subjects.Started:
			left--
		case *subjects.Declined, *subjects.Failed:
			b.Fatalf("%+v", e)
		}
	}
}
