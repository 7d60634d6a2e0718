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

// flat is a type of tasks that are pure work: so many seconds on an idle core.
func flat(name string, seconds float64) Truth {
	return Truth{Type: name, Points: []Point{{1, seconds}}}
}

func finish(t *testing.T, s Scenario) *Result {
	t.Helper()
	r, err := Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range r.Jobs {
		if s.Until == 0 && j.State != "finished" {
			t.Fatalf("seed %d: job = %+v, want it finished", s.Seed, j)
		}
	}
	return r
}

// near compares durations with a tolerance for what the network takes.
func near(t *testing.T, what string, got, want, tolerance time.Duration) {
	t.Helper()
	if d := got - want; d < -tolerance || d > tolerance {
		t.Errorf("%s = %v, want %v ± %v", what, got, want, tolerance)
	}
}

func length(r RunResult) time.Duration { return r.End - r.Start }

func TestOneTaskOnAHalfIdleCore(t *testing.T) {
	r := finish(t, Scenario{
		Seed: 1, Hosts: []Host{{Name: "a", Cores: 1, Load: Steady(0.5)}},
		Types: []Truth{flat("pi", 30)}, Jobs: []Job{{At: time.Minute, Spec: work("pi", 1)}},
	})
	j := r.Jobs[0]
	near(t, "length of the run", length(r.Runs[0]), time.Minute, time.Microsecond)
	near(t, "wait before the run", r.Runs[0].Start-j.Submitted, 8*time.Millisecond, 8*time.Millisecond)
	near(t, "end of the job in the log", j.Ended, 2*time.Minute, 50*time.Millisecond)
	if cpu := r.Runs[0].CPU; math.Abs(cpu-30) > 1e-6 || math.Abs(r.Harvested-30) > 1e-6 {
		t.Errorf("core-seconds of the run = %v, of the host = %v, want 30 for both", cpu, r.Harvested)
	}
	if math.Abs(r.Idle-0.5*r.End.Seconds()) > 1e-6 {
		t.Errorf("idle core-seconds = %v, want half of %v", r.Idle, r.End)
	}
}

// Two tasks on a core and a half have 0.75 of a core each, until the shorter one is done and the
// other has a whole one.
func TestTwoTasksShare(t *testing.T) {
	r := finish(t, Scenario{
		Seed: 1, Hosts: []Host{{Name: "a", Cores: 2, Load: Steady(0.5)}},
		Types: []Truth{flat("pi", 30), flat("sort", 60)},
		Jobs:  []Job{{Spec: work("pi", 1)}, {Spec: work("sort", 1)}},
	})
	near(t, "length of the short run", length(r.Runs[0]), 40*time.Second, 20*time.Millisecond)
	near(t, "length of the long run", length(r.Runs[1]), 70*time.Second, 20*time.Millisecond) // 40 · 0.75 + 30
}

func TestALoadStepsInMidRun(t *testing.T) {
	r := finish(t, Scenario{
		Seed: 1, Hosts: []Host{{Name: "a", Cores: 1, Load: Series{Every: time.Minute, Cores: []float64{0, 0.75}}}},
		Types: []Truth{flat("pi", 30)}, Jobs: []Job{{At: 45 * time.Second, Spec: work("pi", 1)}},
	})
	// 15 s of its work at full speed, the other 15 s at a quarter.
	near(t, "length of the run", length(r.Runs[0]), 75*time.Second, 50*time.Millisecond)
}

// Between a truth's points the logarithm of the time is linear.
func TestATruthBetweenItsPoints(t *testing.T) {
	c := newCurve(Truth{Points: []Point{{0.2, 100}, {0.6, 25}}})
	for r, want := range map[float64]float64{0.2: 100, 0.4: 50, 0.6: 25, 0.1: 200, 1: 15} {
		if got := c.seconds(r); math.Abs(got-want) > 1e-9 {
			t.Errorf("seconds(%v) = %v, want %v", r, got, want)
		}
	}
	if !math.IsInf(c.seconds(0), 1) {
		t.Errorf("seconds(0) = %v, want infinity", c.seconds(0))
	}
}

func TestASaturatedSourceSlowsItsReaders(t *testing.T) {
	truth := flat("grep", 20)
	truth.Read = 50e6
	job := work("grep", 4)
	job.Stages[0].Sources, job.Stages[0].Bytes = []string{"nfs"}, 1e9
	r := finish(t, Scenario{
		Seed: 1, Hosts: []Host{{Name: "a", Cores: 2}, {Name: "b", Cores: 2}},
		Types: []Truth{truth}, DataNodes: []DataNode{{"nfs", 100e6}}, Jobs: []Job{{Spec: job}},
	})
	for _, run := range r.Runs { // 4 · 50 MB/s of 100: half as fast
		near(t, "length of a reader's run", length(run), 40*time.Second, time.Second) // the slotter hesitates on a type it does not know
		if math.Abs(run.CPU-20) > 0.02 {
			t.Errorf("core-seconds of a reader = %v, want 20: waiting costs none", run.CPU)
		}
	}
}

func TestSizeAndNoiseScaleATask(t *testing.T) {
	truth := flat("sort", 10)
	truth.Size = 100
	big := work("sort", 1)
	big.Stages[0].Bytes = 300
	s := Scenario{Seed: 1, Hosts: []Host{{Name: "a", Cores: 2}}, Types: []Truth{truth}, Jobs: []Job{{Spec: big}}}
	near(t, "length of the run with three times the input", length(finish(t, s).Runs[0]), 30*time.Second, time.Microsecond)

	c, sum, n := newCurve(Truth{Noise: 0.3}), 0.0, 4000
	for i := range n {
		sum += c.noise(7, string(rune('a'+i)))
	}
	if mean := sum / float64(n); math.Abs(mean-1) > 0.02 {
		t.Errorf("mean noise of %d tasks = %v, want 1 ± 0.02", n, mean)
	}
}

// A burst of the primary on a host that keeps a core in reserve costs the
// youngest task its slot; it is run again.
func TestTheReserveEvicts(t *testing.T) {
	r := finish(t, Scenario{
		Seed: 1, Hosts: []Host{{Name: "a", Cores: 4, Slots: 2, Reserve: 1, Load: Series{Every: 20 * time.Second, Cores: []float64{0, 1.5}}}},
		Types: []Truth{flat("pi", 30)}, Jobs: []Job{{Spec: work("pi", 2)}},
	})
	if first := r.Runs[0]; first.Outcome != "evicted" || first.End < 20*time.Second || first.End > 23*time.Second {
		t.Errorf("first run = %+v, want it evicted from 20s to 23s, after the burst", first)
	}
	if n := len(r.Runs); n < 3 || r.Runs[n-1].Outcome != "committed" {
		t.Errorf("%d runs, the last = %+v, want at least 3, the last committed", n, r.Runs[n-1])
	}
}

func TestATimeoutFails(t *testing.T) {
	job := work("pi", 1)
	job.Stages[0].Timeout, job.Stages[0].Retries = 5*time.Second, 0
	r, err := Run(t.Context(), Scenario{
		Seed: 1, Hosts: []Host{{Name: "a", Cores: 1}}, Types: []Truth{flat("pi", 30)}, Jobs: []Job{{Spec: job}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Jobs[0].State != "failed" || r.Runs[0].Outcome != "failed" {
		t.Errorf("job = %+v, run = %+v, want both failed", r.Jobs[0], r.Runs[0])
	}
	near(t, "length of the run", length(r.Runs[0]), 5*time.Second, time.Microsecond)
}

func TestAClientLosesPatience(t *testing.T) {
	job := work("pi", 1)
	r, err := Run(t.Context(), Scenario{
		Seed: 1, Hosts: []Host{{Name: "a", Cores: 1}}, Types: []Truth{flat("pi", 1000)},
		Jobs: []Job{{At: time.Minute, Spec: job, Patience: 10 * time.Second}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if j := r.Jobs[0]; j.State != "cancelled" || j.Ended < 70*time.Second || j.Ended > 71*time.Second {
		t.Errorf("job = %+v, want it cancelled from 70s to 71s", j)
	}
}
