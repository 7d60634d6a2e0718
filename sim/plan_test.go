package sim

import (
	"math"
	"slices"
	"testing"
	"time"

	"lull/admission"
	"lull/subjects"
)

// plan is a Faults made of functions.
type plan struct {
	begin func(*World)
	fate  func(Effect) Fate
}

func (p plan) Begin(w *World) {
	if p.begin != nil {
		p.begin(w)
	}
}

func (p plan) Fate(e Effect) Fate {
	if p.fate != nil {
		return p.fate(e)
	}
	return Fate{}
}

func say(t *testing.T, w *World, e subjects.Event) {
	t.Helper()
	if err := w.Append(e); err != nil {
		t.Error(err)
	}
}

func TestAPauseStopsTheClockOfItsTasks(t *testing.T) {
	r := finish(t, Scenario{
		Seed: 1, Hosts: []Host{{Name: "a", Cores: 1}}, Types: []Truth{flat("pi", 30)}, Jobs: []Job{{Spec: work("pi", 1)}},
		Faults: plan{begin: func(w *World) {
			w.At(10*time.Second, func() { say(t, w, &subjects.Paused{Host: "a"}) })
			w.At(70*time.Second, func() { say(t, w, &subjects.Resumed{Host: "a"}) })
		}},
	})
	near(t, "length of the run", length(r.Runs[0]), 90*time.Second, 20*time.Millisecond)
	if math.Abs(r.Runs[0].CPU-30) > 0.01 {
		t.Errorf("CPU time of the run = %v s, want 30", r.Runs[0].CPU)
	}
}

// small is enough work for half an hour on few hosts.
func small(seed uint64) Scenario {
	s := Scenario{Seed: seed, Hosts: pool(4, 2, time.Minute, seed), Types: types, Jobs: jobs(12, 20*time.Minute, 6, 0, seed)}
	return s
}

func TestASeedTwiceIsTheSameLog(t *testing.T) {
	a, b, c := finish(t, small(3)), finish(t, small(3)), finish(t, small(4))
	if a.Digest != b.Digest || a.Steps != b.Steps || a.End != b.End {
		t.Errorf("two runs of seed 3 = digest %x, %d steps, end %v, then digest %x, %d steps, end %v, want the same", a.Digest, a.Steps, a.End, b.Digest, b.Steps, b.End)
	}
	if a.Digest == c.Digest {
		t.Errorf("digest of seed 4 = %x, that of seed 3, want another", c.Digest)
	}
}

func TestAReplicaThatIsKilledGoesOn(t *testing.T) {
	for _, process := range []string{"slotter/0", "admission/0", "host/h001"} {
		finish(t, withPlan(small(5), func(w *World) {
			for at := 30 * time.Second; at < 15*time.Minute; at += 97 * time.Second {
				w.At(at, func() { w.Crash(process) })
				w.At(at+3*time.Second, func() { w.Start(process) })
			}
		}))
	}
}

func withPlan(s Scenario, begin func(*World)) Scenario {
	s.Faults = plan{begin: begin}
	return s
}

// Of two replicas one leads; when it is killed, the other takes over once the
// lease is over.
func TestASecondReplicaTakesOver(t *testing.T) {
	s := small(6)
	s.Replicas = 2
	took := false
	finish(t, withPlan(s, func(w *World) {
		w.At(time.Minute, func() {
			_, first := w.Up("slotter/0")
			_, second := w.Up("slotter/1")
			if first == second {
				t.Errorf("slotter/0 leads = %v, slotter/1 leads = %v, want one of them to lead", first, second)
			}
			if first {
				w.Crash("slotter/0")
			} else {
				w.Crash("slotter/1")
			}
		})
		w.At(time.Minute+2*admission.Role("").Lease, func() {
			_, first := w.Up("slotter/0")
			_, second := w.Up("slotter/1")
			took = first || second
		})
	}))
	if !took {
		t.Error("leader two leases after the first one crashed = none, want the standby")
	}
}

// A host that loses its power loses its tasks: others run them.
func TestAHostIsLostAndComesBack(t *testing.T) {
	s := Scenario{
		Seed: 1, Hosts: []Host{{Name: "a", Cores: 1}, {Name: "b", Cores: 1}, {Name: "c", Cores: 1}},
		Types: []Truth{flat("pi", 100)}, Jobs: []Job{{Spec: work("pi", 3)}},
	}
	var seen []string
	s.Watch = func(_ time.Duration, _ uint64, e subjects.Event) {
		switch e.(type) {
		case *subjects.Lost:
			seen = append(seen, "lost")
		case *subjects.Joined:
			seen = append(seen, "joined")
		}
	}
	r := finish(t, withPlan(s, func(w *World) {
		w.At(50*time.Second, func() { w.PowerOff("b") })
		w.At(80*time.Second, func() { w.PowerOn("b") })
	}))
	if len(seen) != 5 || seen[3] != "lost" || seen[4] != "joined" {
		t.Errorf("hosts = %v, want three joined, one lost and joined again", seen)
	}
	var outcomes []string
	for _, run := range r.Runs {
		outcomes = append(outcomes, run.Outcome)
	}
	if want := []string{"evicted", "committed", "committed", "committed"}; !slices.Equal(outcomes, want) || r.Runs[0].Host != "b" || r.Runs[3].Task != r.Runs[0].Task {
		t.Errorf("runs = %+v, want outcomes %v, the first on b, the last of its task", r.Runs, want)
	}
	// The task runs again for 100 s from when b is back.
	near(t, "end of the simulation", r.End, 180*time.Second, 3*time.Second)
}

func TestAnAgentLeavesAndItsTaskIsAdopted(t *testing.T) {
	r := finish(t, withPlan(Scenario{
		Seed: 1, Hosts: []Host{{Name: "a", Cores: 1}}, Types: []Truth{flat("pi", 100)}, Jobs: []Job{{Spec: work("pi", 1)}},
	}, func(w *World) {
		w.At(20*time.Second, func() { w.Leave("a") })
		w.At(30*time.Second, func() { w.Start("host/a") })
	}))
	near(t, "length of the run", length(r.Runs[0]), 100*time.Second, time.Millisecond)
}
