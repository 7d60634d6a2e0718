package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"lull/placer/predict"
	"lull/placer/topology"
	"lull/subjects/tct"
)

func flat(seconds float64) *tct.Curve {
	return tct.Default(time.Duration(seconds * float64(time.Second)))
}

// racks is TARA's pool: 20 racks of 40 hosts with uplinks of 200 to 800 Mbit/s.
func racks() *predict.Snapshot {
	s := &predict.Snapshot{Tree: &topology.Tree{}}
	for r := range 20 {
		up := float64(800-100*(r%7)) * 1e6 / 8
		s.Tree.Racks = append(s.Tree.Racks, topology.Rack{Name: fmt.Sprint(r), Up: up, Down: up})
		for h := range 40 {
			s.Tree.Hosts = append(s.Tree.Hosts, topology.Host{Name: fmt.Sprint(r, h), Rack: r, Out: 125e6, In: 125e6, Disk: 100e6})
			s.Hosts = append(s.Hosts, predict.Host{Slots: 2, Idle: 2})
		}
	}
	return s
}

func sort80() Problem {
	return Problem{App: &predict.Application{Stages: []predict.Stage{
		{Tasks: 2560, Input: 64 << 20, Gives: 1, Curve: flat(2)},
		{From: []predict.From{{Stage: 0}}, Tasks: 160, Gives: 1, Curve: flat(10)},
	}}, Snapshot: racks(), Hosts: 80}
}

func TestOursBeatsAllBaselinesAndTheGeneticSearch(t *testing.T) {
	problem := sort80()
	baselines, err := problem.Baselines()
	if err != nil {
		t.Fatal(err)
	}
	best := math.Inf(1)
	for _, b := range baselines {
		best = min(best, b.Result.Seconds)
	}
	for seed := range uint64(3) {
		ours, err := Solve(problem, Options{Seed: seed, Evaluations: 600})
		if err != nil {
			t.Fatal(err)
		}
		if len(ours.Hosts) != 80 || ours.Result.Seconds > 0.75*best {
			t.Errorf("seed %d: %d hosts, %v s, want 80 and at most 0.75 of the best baseline's %v s", seed, len(ours.Hosts), ours.Result.Seconds, best)
		}
		genetic, err := Genetic(problem, GeneticOptions{Seed: seed, Evaluations: 600})
		if err != nil {
			t.Fatal(err)
		}
		if genetic.Evaluations != 600 || len(genetic.Hosts) != 80 || genetic.Result.Seconds < ours.Result.Seconds {
			t.Errorf("seed %d: genetic search = %v s with %d hosts, want no less than %v with 80", seed, genetic.Result.Seconds, len(genetic.Hosts), ours.Result.Seconds)
		}
		if first := genetic.Found[0].Seconds; genetic.Result.Seconds > 0.9*first {
			t.Errorf("seed %d: genetic search = from %v s to %v, want at most 0.9 of the first", seed, first, genetic.Result.Seconds)
		}
	}
}

// TestSameAnswerOnAnyNumberOfCores runs the islands at the same time and one after the other.
func TestSameAnswerOnAnyNumberOfCores(t *testing.T) {
	problem := sort80()
	plan, err := New(problem, Options{Seed: 3, Evaluations: 200})
	if err != nil {
		t.Fatal(err)
	}
	answers := make([]Answer, plan.Islands())
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() { answers[i] = plan.Run(i) })
	}
	all.Wait()
	apart, err := Solve(problem, Options{Seed: 3, Evaluations: 200})
	if err != nil {
		t.Fatal(err)
	}
	if together := Merge(problem.Objective, answers); !reflect.DeepEqual(together, apart) {
		t.Errorf("islands searched together = %v, want %v as apart", together.Hosts, apart.Hosts)
	}
}

// TestNeverWorseThanABaseline: on drawn pools, with fewer hosts and more, for both objectives.
func TestNeverWorseThanABaseline(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 5))
		problem := drawn(rng)
		baselines, err := problem.Baselines()
		if err != nil {
			t.Fatal(err)
		}
		answer, err := Solve(problem, Options{Seed: seed, Evaluations: 80})
		if err != nil {
			t.Fatal(err)
		}
		genetic, err := Genetic(problem, GeneticOptions{Seed: seed, Evaluations: 30})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range baselines {
			if problem.Objective.Better(b.Result, answer.Result) {
				t.Errorf("seed %d: search = %+v, want no worse than %s: %+v", seed, answer.Result, b.Name, b.Result)
			}
		}
		for _, a := range []Answer{answer, genetic} {
			if !slices.IsSorted(a.Hosts) || len(slices.Compact(slices.Clone(a.Hosts))) != len(a.Hosts) || len(a.Hosts) > problem.Hosts {
				t.Errorf("seed %d: chosen = %v, want different hosts in order, at most %d", seed, a.Hosts, problem.Hosts)
			}
			for _, h := range a.Hosts {
				if problem.Snapshot.Hosts[h].Slots == 0 {
					t.Errorf("seed %d: host %d was chosen, want only hosts with slots", seed, h)
				}
			}
		}
	}
}

func drawn(rng *rand.Rand) Problem {
	s := &predict.Snapshot{Tree: &topology.Tree{}}
	for r := range 2 + rng.IntN(6) {
		up := 10e6 + 90e6*rng.Float64()
		s.Tree.Racks = append(s.Tree.Racks, topology.Rack{Name: fmt.Sprint(r), Up: up, Down: up})
		for h := range 1 + rng.IntN(6) {
			s.Tree.Hosts = append(s.Tree.Hosts, topology.Host{Name: fmt.Sprint(r, h), Rack: r, Out: 125e6, In: 125e6})
			s.Hosts = append(s.Hosts, predict.Host{Slots: rng.IntN(4), Idle: 4 * rng.Float64()})
		}
	}
	return Problem{App: &predict.Application{Stages: []predict.Stage{
		{Tasks: 1 + rng.IntN(60), Input: 64 << 20, Gives: 1, Curve: flat(2)},
		{From: []predict.From{{Stage: 0}}, Tasks: 1 + rng.IntN(30), Gives: 1, Curve: flat(5)},
	}}, Snapshot: s, Objective: predict.Objective(rng.IntN(2)), Hosts: 1 + rng.IntN(12), Fewer: rng.IntN(2) == 0}
}

func TestNothingToChooseFrom(t *testing.T) {
	problem := drawn(rand.New(rand.NewPCG(1, 1)))
	for i := range problem.Snapshot.Hosts {
		problem.Snapshot.Hosts[i].Slots = 0
	}
	answer, err := Solve(problem, Options{Evaluations: 10})
	if err != nil || len(answer.Hosts) > 0 || !math.IsInf(answer.Result.Seconds, 1) {
		t.Errorf("Solve(no slots) = %+v, %v, want no hosts and infinity", answer, err)
	}
	if _, err := Genetic(problem, GeneticOptions{Evaluations: 10}); err != nil {
		t.Error(err)
	}
}
