package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"lull/subjects"
)

// What tasks used is what their work was; it was there to be had, and every
// task was committed once.
func TestWorkIsConserved(t *testing.T) {
	for seed := uint64(1); seed <= 5; seed++ {
		s := small(seed)
		s.Types = []Truth{flat("pi", 20), flat("sort", 30), flat("grep", 15)}
		for i := range s.Types {
			s.Types[i].Noise = 0.2
		}
		s.Slotter.Rivals = -1 // one that still runs when the last job ends is in no list
		r := finish(t, s)
		type task struct {
			job         string
			stage, task uint32
		}
		committed, used := map[task]int{}, 0.0
		for _, run := range r.Runs {
			used += run.CPU
			if run.Outcome != "committed" {
				continue
			}
			committed[task{run.Job, run.Stage, run.Task}]++
			work := map[string]float64{"pi": 20, "sort": 30, "grep": 15}[run.Type] * run.Factor
			if math.Abs(run.CPU-work) > 1e-6 {
				t.Errorf("seed %d: core-seconds of a task of %s = %v, want %v", seed, run.Type, run.CPU, work)
			}
		}
		tasks := 0
		for _, j := range s.Jobs {
			tasks += int(j.Spec.Stages[0].Tasks)
		}
		for which, n := range committed {
			if n != 1 {
				t.Errorf("seed %d: commits of %+v = %d, want 1", seed, which, n)
			}
		}
		if len(committed) != tasks {
			t.Errorf("seed %d: tasks committed = %d, want %d", seed, len(committed), tasks)
		}
		if math.Abs(r.Harvested-used) > 1e-3 || r.Harvested > r.Idle {
			t.Errorf("seed %d: core-seconds harvested = %v, used = %v, idle = %v, want the first two equal and within the idle ones", seed, r.Harvested, used, r.Idle)
		}
	}
}

// Policies are compared on the same tasks: what a task takes must not hang on
// when and where it runs.
func TestAnotherPolicyMeetsTheSameTasks(t *testing.T) {
	factors := func(policy string) map[[2]any]float64 {
		s := small(8)
		s.Slotter.Policy = policy
		found := map[[2]any]float64{}
		for _, run := range finish(t, s).Runs {
			found[[2]any{run.Job, run.Task}] = run.Factor
		}
		return found
	}
	fifo, mp := factors("fifo"), factors("mp")
	for task, factor := range fifo {
		if mp[task] != factor || factor == 0 {
			t.Errorf("factor of task %v = %v under fifo, %v under mp, want the same, above 0", task, factor, mp[task])
		}
	}
}

func TestAServiceBeginsWithItsSnapshot(t *testing.T) {
	for _, process := range []string{"slotter/0", "admission/0", "host/h002"} {
		began := uint64(0)
		s := small(9)
		finish(t, withPlan(s, func(w *World) {
			w.At(5*time.Minute, func() { w.Stop(process) })
			w.At(5*time.Minute+time.Second, func() {
				w.Start(process)
				w.with(process, func(r *replica) { began = r.core.Seq() })
			})
		}))
		if began == 0 {
			t.Errorf("first entry of %s when it begins again = %d, want that of its snapshot", process, began)
		}
	}
}

// Bytes that are no event change nothing; an unknown kind does not enter the log.
func TestGarbageInTheLog(t *testing.T) {
	var optional uint64
	s := small(10)
	finish(t, withPlan(s, func(w *World) {
		w.At(time.Minute, func() {
			for _, subject := range []string{w.pool().Joined("h001"), "lull.default.job.x.admitted", w.pool().Led("slotter", "all")} {
				if err := w.Inject(subject, []byte("\xdd\xff\xff\xff\xff\x01")); err != nil {
					t.Error(err)
				}
			}
			if err := w.Inject("lull.default.job.x.unheard-of", nil); !errors.Is(err, subjects.ErrUnknownKind) {
				t.Errorf("Inject(unknown kind) = %v, want ErrUnknownKind", err)
			}
			if err := w.InjectOptional("lull.default.job.x.unheard-of", nil); err != nil {
				t.Errorf("InjectOptional(unknown kind) = %v, want no error", err)
			}
			optional = w.bus.log.end
			w.At(2*time.Minute, func() {
				if _, kept := w.bus.kept[fmt.Sprintf("log-%d", optional)]; kept || len(w.bus.kept) != 3 {
					t.Errorf("quarantine = %v, want the 3 entries that are no events, without log-%d", w.bus.kept, optional)
				}
			})
		})
	}))
}

func TestScenariosThatCannotBe(t *testing.T) {
	for want, s := range map[string]Scenario{
		"no cores":         {Hosts: []Host{{Name: "a"}}},
		"host":             {Hosts: []Host{{Name: "a b", Cores: 1}}},
		"no points":        {Types: []Truth{{Type: "pi"}}},
		"higher residual":  {Types: []Truth{{Type: "pi", Points: []Point{{1, 1}, {0.5, 1}}}}},
		"cannot be":        {Types: []Truth{flat("pi", math.NaN())}},
		"sort the jobs":    {Jobs: []Job{{At: 2}, {At: 1}}},
		"must not be":      {Telemetry: -1},
		"is not below":     {Telemetry: time.Minute},
		"policy":           {},
		"must last longer": {Hosts: []Host{{Name: "a", Cores: 1, Load: stuck{}}}, Until: time.Hour},
		"there is no":      {Faults: plan{begin: func(w *World) { w.Crash("nobody") }}, Until: time.Hour},
	} {
		if want == "policy" {
			s.Slotter.Policy = "none-such"
		}
		if _, err := Run(t.Context(), s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Run() = %v, want an error with %q", err, want)
		}
	}
}

// stuck is a load that holds for no time.
type stuck struct{}

func (stuck) At(t time.Duration) (float64, time.Duration) { return 0.5, t }

func TestARunCanBeGivenUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, small(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("Run(cancelled context) = %v, want context.Canceled", err)
	}
}

func TestUntilEndsARun(t *testing.T) {
	s := Scenario{
		Seed: 1, Hosts: []Host{{Name: "a", Cores: 1}}, Types: []Truth{flat("pi", 1000)},
		Jobs: []Job{{Spec: work("pi", 1)}}, Until: 3 * time.Minute,
	}
	r := finish(t, s)
	if r.End != s.Until || r.Jobs[0].State != "admitted" || math.Abs(r.Harvested-180) > 2 {
		t.Errorf("end = %v, job = %+v, core-seconds = %v, want the end at %v, the job admitted, 180 ± 2", r.End, r.Jobs[0], r.Harvested, s.Until)
	}
}

func TestARunInWhichNothingEndsIsGivenUp(t *testing.T) {
	w, err := newWorld(Scenario{Jobs: []Job{{Spec: work("pi", 1)}}})
	if err != nil {
		t.Fatal(err)
	}
	w.idleFor = time.Hour
	if err := w.run(t.Context()); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("run() of a job without a host = %v, want an error that nothing happens", err)
	}
}

func TestTelemetryIsSentOnChange(t *testing.T) {
	count := func(load Load) int {
		w, err := newWorld(Scenario{
			Seed: 1, Hosts: []Host{{Name: "a", Cores: 2, Load: load}}, Telemetry: 5 * time.Second, Until: 10 * time.Minute,
		})
		if err == nil {
			err = w.run(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		return w.samplesSeen
	}
	still, busy := count(Steady(1)), count(Series{Every: 7 * time.Second, Cores: []float64{0, 2}})
	// Usage for both services and a beat for the slotter, every five seconds;
	// a mean over ten seconds that moves is published every second.
	if still < 350 || still > 400 || busy < 3*still {
		t.Errorf("samples of a host at rest = %d, of a busy one = %d, want 350 to 400, at least three times as many", still, busy)
	}
}
