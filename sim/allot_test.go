package sim

import (
	"math"
	"testing"
	"time"

	"lull/slotter"
	"lull/subjects"
	"lull/subjects/spec"
)

// scan is a job of n tasks that read 100 MB each, in 10 s on an idle core.
func scan(name, queue string, n uint32) spec.Job {
	j := work(name, n)
	j.Type, j.Queue = "scan", queue
	j.Stages[0].Bytes, j.Stages[0].Estimate = 100e6, 10*time.Second
	return j
}

// Eight cores, but 40 MB/s in all: two jobs of four tasks with two thirds and a
// third of it. The small share ends in 30 s; what it leaves makes the other
// none the slower.
func TestPacedTasksMoveAtTheirShare(t *testing.T) {
	r := finish(t, Scenario{
		Seed: 1, Hosts: []Host{{Name: "a", Cores: 8}}, Types: []Truth{flat("scan", 10)},
		Jobs:    []Job{{At: time.Minute, Spec: scan("high", "high", 4)}, {At: time.Minute, Spec: scan("low", "low", 4)}},
		Slotter: slotter.Config{Capacity: 40e6, Policy: "fifo"},
		Queues:  []subjects.Shared{{Queue: "high", Weight: 2}},
	})
	// 400 MB at 26.7 MB/s; then the low job has read 200 MB, and no job competes.
	near(t, "time of the high job", r.Jobs[0].Ended-r.Jobs[0].Started, 15*time.Second, 300*time.Millisecond)
	near(t, "time of the low job", r.Jobs[1].Ended-r.Jobs[1].Started, 20*time.Second, 300*time.Millisecond)
}

// What one task may not use of a core, the other gets.
func TestWhatAPacedTaskLeavesTheOthersGet(t *testing.T) {
	w := &World{}
	h := &host{w: w, Host: Host{Cores: 1}, primary: newPrimary(Steady(0), 0)}
	h.guard.begin(h)
	for _, told := range []float64{2e6, 0} {
		r := &run{running: true, truth: newCurve(flat("scan", 10)), stage: new(spec.Stage), bytes: 100e6, scale: 1, target: told}
		r.Width = 1
		h.runs = append(h.runs, r)
	}
	h.allot()
	if a, b := h.runs[0].residual, h.runs[1].residual; math.Abs(a-0.2) > 1e-9 || math.Abs(b-0.8) > 1e-9 {
		t.Errorf("parts of the core = %v, %v, want 0.2, 0.8", a, b)
	}
}

func TestTheInverseOfATruth(t *testing.T) {
	c := newCurve(Truth{Points: []Point{{0.2, 100}, {0.6, 25}}})
	for _, r := range []float64{0.05, 0.1, 0.2, 0.3, 0.5, 0.6, 0.8, 1} {
		if got := c.residual(c.seconds(r)); math.Abs(got-r) > 1e-9 {
			t.Errorf("residual(seconds(%v)) = %v, want %v", r, got, r)
		}
	}
}

// Where the idle cores do not suffice for all target rates, what a deadline
// calls for goes first, as on a real host.
func TestDeadlinesGoFirst(t *testing.T) {
	h := &host{w: &World{}, Host: Host{Cores: 1}, primary: newPrimary(Steady(0), 0)}
	h.guard.begin(h)
	for _, priority := range []float64{0, 1} {
		r := &run{running: true, truth: newCurve(flat("scan", 10)), stage: new(spec.Stage), bytes: 100e6, scale: 1, target: 8e6, priority: priority}
		r.Width = 1
		h.runs = append(h.runs, r)
	}
	h.allot()
	if share, deadline := h.runs[0].residual, h.runs[1].residual; math.Abs(deadline-0.8) > 1e-6 || math.Abs(share-0.2) > 1e-6 {
		t.Errorf("parts of the core for the share, the deadline = %v, %v, want 0.2, 0.8", share, deadline)
	}
}
