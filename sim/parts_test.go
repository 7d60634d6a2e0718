package sim

import (
	"slices"
	"testing"
	"time"

	"lull/subjects/spec"
)

// parts is a job of n tasks that take so many cores each.
func parts(name string, n uint32, cores spec.Cores) spec.Job {
	j := work(name, n)
	j.Stages[0].CPU, j.Stages[0].Part = cores.Slots(), cores.Part()
	return j
}

// most is how many runs there were at once.
func most(runs []RunResult) (n int) {
	for _, r := range runs {
		at := 0
		for _, o := range runs {
			if o.Start <= r.Start && r.Start < o.End {
				at++
			}
		}
		n = max(n, at)
	}
	return n
}

func TestTasksOfQuartersOfACoreRunEightAtOnceOnTwoCores(t *testing.T) {
	r := finish(t, Scenario{
		Seed: 1, Hosts: []Host{{Name: "a", Cores: 2}},
		Types: []Truth{flat("pi", 10)}, Jobs: []Job{{Spec: parts("pi", 8, 250)}},
	})
	if n := most(r.Runs); n != 8 {
		t.Errorf("tasks that run at once = %d, want 8", n)
	}
	last := slices.MaxFunc(r.Runs, func(a, b RunResult) int { return int(a.End - b.End) })
	near(t, "time from the first start to the last end", last.End-r.Runs[0].Start, 40*time.Second, time.Second)
}

// Alone on a core, a task of half a core has all of it. Beside a whole one on that core's host it has what
// its part is worth.
func TestAPartTakesWhatIsLeft(t *testing.T) {
	r := finish(t, Scenario{
		Seed: 1, Hosts: []Host{{Name: "a", Cores: 1}},
		Types: []Truth{flat("pi", 10)}, Jobs: []Job{{Spec: parts("pi", 1, 500)}},
	})
	near(t, "length of the run of half a core alone", length(r.Runs[0]), 10*time.Second, time.Millisecond)
	r = finish(t, Scenario{
		Seed: 1, Hosts: []Host{{Name: "a", Cores: 2, Load: Steady(0.5)}},
		Types: []Truth{flat("half", 10), flat("one", 20)}, Jobs: []Job{{Spec: parts("half", 1, 500)}, {Spec: work("one", 1)}},
	})
	near(t, "length of the run of half a core beside a whole one, on a core and a half", length(r.Runs[0]), 20*time.Second, 50*time.Millisecond)
	near(t, "length of the run of a whole core", length(r.Runs[1]), 20*time.Second, 50*time.Millisecond)
}

func TestNoMixOfTasksTakesMoreThanThereIs(t *testing.T) {
	s := Scenario{Seed: 1, Hosts: []Host{{Name: "a", Cores: 3, Load: Steady(0.5)}, {Name: "b", Cores: 2}}}
	given := map[string]spec.Cores{}
	for i, cores := range []spec.Cores{500, 1000, 1500, 250, 333, 2000, 100} {
		name := string(rune('a' + i))
		given[name] = cores
		s.Types = append(s.Types, flat(name, 5+float64(i)))
		s.Jobs = append(s.Jobs, Job{At: time.Duration(i) * time.Second, Spec: parts(name, 10, cores)})
	}
	r := finish(t, s)
	for _, run := range r.Runs {
		sum := spec.Cores(0)
		for _, o := range r.Runs {
			if o.Host == run.Host && o.Start <= run.Start && run.Start < o.End {
				sum += given[o.Type]
			}
		}
		if slots := map[string]spec.Cores{"a": 3, "b": 2}[run.Host]; sum > slots*spec.Core {
			t.Fatalf("cores of the tasks on host %s at %v = %v, want at most %v", run.Host, run.Start, sum, slots*spec.Core)
		}
	}
}
