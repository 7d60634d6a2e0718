package pace

import (
	"math"
	"testing"
)

// pass runs a driver on a plant and returns the throughput of each sample.
func pass(d *Driver, p *plant, samples int, reference float64) []float64 {
	var trace []float64
	cores := d.First(reference)
	for range samples {
		trace = append(trace, p.step(cores))
		cores = d.Step(trace[len(trace)-1], cores, reference)
	}
	return trace
}

func TestDriverLearnsAndThenFollows(t *testing.T) {
	d := NewDriver(nil, 1)
	p := &plant{a: 0.3, b: 40e6, noise: 0.04, rng: random(t, 3)}
	trace := pass(d, p, settle+Cycles*Period+2+100, 20e6)[settle+Cycles*Period+2:]
	learnt := d.Learnt()
	if learnt == nil || learnt.Refused != "" || !within(learnt.Model.Steady(1), 57e6, 0.1) {
		t.Fatalf("Learnt() = %+v, want 57e6 a core within a tenth", learnt)
	}
	mean := 0.0
	for _, v := range trace[15:] {
		mean += v / 85
	}
	if !within(mean, 20e6, 0.03) {
		t.Errorf("the mean is %.3g, want 20e6", mean)
	}
}

func TestDriverWithAModelStartsAtTheReference(t *testing.T) {
	d := NewDriver(&Model{A: 0.2, B: 50e6}, 1)
	trace := pass(d, &plant{a: 0.2, b: 50e6}, 30, 20e6)
	if at := settled(trace, 20e6, 0.02); at > 8 || d.Learnt() != nil || d.Trial() {
		t.Errorf("settled after %d samples, want at most 8 without a trial", at)
	}
}

// A task that ends early has shown something if it ran for three cycles.
func TestAnEarlyEndCounts(t *testing.T) {
	for samples, refused := range map[int]bool{settle + LeastCycles*Period + 2: false, settle + 5: true} {
		d := NewDriver(nil, 1)
		cores, p := 1.0, &plant{a: 0.2, b: 50e6}
		for range samples {
			cores = d.Step(p.step(cores), cores, 20e6)
		}
		d.End()
		if l := d.Learnt(); l == nil || (l.Refused != "") != refused {
			t.Errorf("%d samples: Learnt() = %+v, want refused %v", samples, l, refused)
		}
	}
}

// The identification refuses a program that reads all its input at once, and one that reads nothing
// for long. Once they read they are throttled all the same.
func TestARefusedTaskIsThrottledAllTheSame(t *testing.T) {
	d := NewDriver(nil, 1)
	cores := 1.0
	for range settle + Cycles*Period + 2 {
		cores = d.Step(0, cores, 20e6)
	}
	if l := d.Learnt(); d.Trial() || l == nil || l.Refused == "" {
		t.Fatalf("Learnt() = %+v, want it refused and the trial over", l)
	}
	if cores = d.Step(0, cores, 20e6); cores < 1 {
		t.Errorf("Step() of a task that has shown nothing = %.2f cores, want 1", cores)
	}
	p := &plant{a: 0.1, b: 60e6}
	var last float64
	for range 40 {
		last = p.step(cores)
		cores = d.Step(last, cores, 20e6)
	}
	if !within(last, 20e6, 0.03) {
		t.Errorf("throughput = %.3g, want 20e6", last)
	}
}

func TestASampleThatTellsNothingChangesNothing(t *testing.T) {
	d := NewDriver(&Model{A: 0.2, B: 50e6}, 1)
	if cores := d.Step(math.NaN(), 1, 20e6); !within(cores, 0.32, 1e-9) {
		t.Errorf("cap before anything was measured = %v, want 0.32 as the model claims", cores)
	}
	d.Step(20e6, 0.32, 20e6)
	if cores := d.Step(math.NaN(), 0.37, 20e6); !within(cores, 0.37, 1e-9) {
		t.Errorf("cap %v, want it left at 0.37", cores)
	}
}
