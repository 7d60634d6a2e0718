package sim

import (
	"math"
	"testing"
	"time"

	"lull/subjects/spec"
)

// work is a job of n tasks of a type.
func work(name string, n uint32) spec.Job {
	return spec.Job{Name: name, Type: name, Stages: []spec.Stage{{Name: "work", Tasks: n, CPU: 1, Memory: 1 << 20, Retries: 3}}}
}

// flat is a type whose tasks are pure work: so many seconds on an idle core.
func flat(name string, seconds float64) Truth {
	return Truth{Type: name, Points: []Point{{1, seconds}}}
}

func finish(t *testing.T, s Scenario) *Result {
	t.Helper()
	r, err := Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// near compares durations with a tolerance for what the network takes.
func near(t *testing.T, what string, got, want, tolerance time.Duration) {
	t.Helper()
	if d := got - want; d < -tolerance || d > tolerance {
		t.Errorf("%s: %v, want %v ± %v", what, got, want, tolerance)
	}
}

func TestOneTaskOnAHalfIdleCore(t *testing.T) {
	r := finish(t, Scenario{
		Seed: 1, Hosts: []Host{{Name: "a", Cores: 1, Load: Steady(0.5)}},
		Types: []Truth{flat("pi", 30)}, Jobs: []Job{{At: time.Minute, Spec: work("pi", 1)}},
	})
	j := r.Jobs[0]
	if j.State != "finished" {
		t.Fatalf("%+v", j)
	}
	near(t, "its run", r.Runs[0].End-r.Runs[0].Start, time.Minute, time.Microsecond)
	near(t, "its wait", r.Runs[0].Start-j.Submitted, 8*time.Millisecond, 8*time.Millisecond)
	near(t, "its end in the log", j.Ended, 2*time.Minute, 50*time.Millisecond)
	if cpu := r.Runs[0].CPU; math.Abs(cpu-30) > 1e-6 || math.Abs(r.Harvested-30) > 1e-6 {
		t.Errorf("it used %v core-seconds, the host counts %v, want 30", cpu, r.Harvested)
	}
	if math.Abs(r.Idle-0.5*r.End.Seconds()) > 1e-6 {
		t.Errorf("%v core-seconds were idle, want half of %v", r.Idle, r.End)
	}
}
