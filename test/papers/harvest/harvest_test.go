package harvest

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"lull/sim"
	"lull/test/papers/workload"
	"lull/test/public"
)

func traces(t *testing.T) inputs {
	in, err := readInputs(publicFiles)
	if public.Absent(err) {
		t.Skipf("needs the public traces beside the repository: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// small is a run of two hours on a few servers.
func small(in inputs, s system, at time.Duration) sim.Scenario {
	c := newCentre(in.tenants, mix{[3]int{3, 3, 3}, [3]float64{0.3, 0.3, 0.4}}, 20, 0.4, linear, workload.Random(1, "centre"))
	return s.scenario(1, c, at, in.arrivals(30, 10*time.Minute, 0, 2*time.Hour, workload.Random(1, "jobs")))
}

// What servers use after a time changes no class, and nothing that happened before.
func TestNoDecisionSeesItsFuture(t *testing.T) {
	in := traces(t)
	const at, change = 7 * 24 * time.Hour, time.Hour
	other := in
	other.tenants = slices.Clone(in.tenants)
	for i := range other.tenants {
		future := *in.tenants[i].future
		future.Mean = slices.Clone(future.Mean)
		for k := int((at + change) / future.Step); k < len(future.Mean); k++ {
			future.Mean[k] = 1 - future.Mean[k]
		}
		other.tenants[i].future = &future
	}
	for _, s := range []system{primaryAware, history, profiled, lullProfiled} {
		a, b := small(in, s, at), small(in, s, at)
		c := newCentre(in.tenants, mix{[3]int{3, 3, 3}, [3]float64{0.3, 0.3, 0.4}}, 20, 0.4, linear, workload.Random(1, "centre"))
		for i := range c.tenants {
			k := slices.IndexFunc(in.tenants, func(t tenant) bool { return t.future == c.tenants[i].future })
			c.tenants[i].future = other.tenants[k].future
		}
		b.Hosts, b.Tenants = s.scenario(1, c, at, nil).Hosts, c.classes(at, 1)
		if !reflect.DeepEqual(a.Tenants, b.Tenants) {
			t.Errorf("%s: classes differ with another future, want the same", s.name)
		}
		if x, y := runsBefore(t, a, change), runsBefore(t, b, change); len(x) == 0 || !reflect.DeepEqual(x, y) {
			t.Errorf("%s: %d attempts ended before the usage changed, want the same %d as in the run where it does not, and some", s.name, len(y), len(x))
		}
	}
}

func runsBefore(t *testing.T, s sim.Scenario, end time.Duration) (runs []sim.RunResult) {
	s.Until = end
	r, err := sim.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range r.Runs {
		if run.End < end-time.Second {
			runs = append(runs, run)
		}
	}
	return runs
}

// A data centre has the use that was asked for, and servers in the proportions of its mix.
func TestADataCentreIsWhatIsDeclared(t *testing.T) {
	in := traces(t)
	for _, scaling := range scalings {
		c := newCentre(in.tenants, usual, 200, 0.35, scaling.make, workload.Random(3, "centre"))
		if math.Abs(c.level-0.35) > 1e-6 || len(c.of) != 200 {
			t.Errorf("%s: %d servers use %v, want 200 that use 0.35", scaling.name, len(c.of), c.level)
		}
		s := primaryAware.scenario(1, c, 0, nil)
		sum := 0.0
		for i := range s.Hosts {
			for at := time.Duration(0); at < 28*24*time.Hour; at += public.Step {
				used, _ := s.Hosts[i].Load.At(at)
				sum += used / cores
			}
		}
		if got := sum / 200 / (28 * 288); math.Abs(got-0.35) > 0.03 {
			t.Errorf("%s: the hosts use %v of their cores, want 0.35", scaling.name, got)
		}
	}
}

// Queries keep so many cores busy as was asked, and none is wider than Hive makes them.
func TestQueriesAreTheStatedLoad(t *testing.T) {
	in := traces(t)
	const busy, hours = 100, 2000
	jobs := in.arrivals(busy, 5*time.Minute, 0, hours*time.Hour, workload.Random(2, "jobs"))
	work := 0.0
	for i := range jobs {
		for _, st := range jobs[i].Spec.Stages {
			work += float64(st.Tasks) * st.Estimate.Seconds()
			if st.Tasks > most {
				t.Errorf("tasks of a stage of %s = %d, want at most %d", jobs[i].Spec.Name, st.Tasks, most)
			}
		}
	}
	if got := work / (hours * 3600); math.Abs(got/busy-1) > 0.05 {
		t.Errorf("the queries keep %v cores busy, want %v", got, busy)
	}
}

// A server is crowded while its tasks and its primary want more than its cores.
func TestCrowding(t *testing.T) {
	h := sim.Host{Cores: 4, Load: sim.Series{Every: 10 * time.Second, Cores: []float64{1, 3}}}
	var o outcome
	o.crowd(&h, reserve, []sim.RunResult{{Start: 0, End: 20 * time.Second}, {Start: 5 * time.Second, End: 15 * time.Second}})
	if o.crowded != 5 || o.wanted != 5 || o.broken != 20 || o.breaks != 1 || o.restored != 20 || o.longest != 20 {
		t.Errorf("crowd() = crowded %v s, wanted %v, broken %v s, breaks %v, restored %v s, longest %v s, want 5, 5, 20, 1, 20 and 20", o.crowded, o.wanted, o.broken, o.breaks, o.restored, o.longest)
	}
}
