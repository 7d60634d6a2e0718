package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"lull/admission"
	"lull/slotter"
	"lull/subjects"
	"lull/subjects/spec"
)

// smallCentre is a data centre of servers that share their tenants' series, in which primaries end many
// tasks: by a quarter of an attempt.
func smallCentre(seed uint64) Scenario {
	const hours, every = 36, 5 * time.Minute
	rng := rand.New(rand.NewPCG(seed, 1))
	s := Scenario{
		Seed: seed, Admission: admission.Config{Mode: subjects.ModeAll},
		Slotter: slotter.Config{Policy: slotter.PolicyHarvest, Rivals: -1, Pace: slotter.PaceOff, Preempt: slotter.PreemptNone},
	}
	for tenant := range 8 {
		load := &Series{Every: every}
		for range int(2 * hours * time.Hour / every) {
			load.Cores = append(load.Cores, 8*rng.Float64())
		}
		for k := range 4 {
			s.Hosts = append(s.Hosts, Host{Name: fmt.Sprintf("h%d-%d", tenant, k), Cores: 8, Reserve: 2, Load: load})
		}
	}
	for at := time.Duration(0); at < hours*time.Hour; at += time.Duration(rng.ExpFloat64() * float64(4*time.Minute)) {
		s.Jobs = append(s.Jobs, Job{At: at, Spec: spec.Job{Name: "j", Type: "j", Stages: []spec.Stage{{
			Name: "work", Argv: []string{"task"}, Tasks: 1 + uint32(rng.IntN(40)), CPU: 1, Memory: 1 << 20, Estimate: time.Duration(30+rng.IntN(240)) * time.Second,
		}}}})
	}
	return s
}

// timesAndKills are the mean time of a job in seconds, and how many attempts ended for a reserve.
func timesAndKills(t *testing.T, coarse bool) (seconds, kills float64) {
	jobs := 0.0
	for seed := range uint64(2) {
		s := smallCentre(seed + 1)
		s.Coarse = coarse
		r, err := Run(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range r.Jobs {
			seconds, jobs = seconds+(j.Ended-j.Submitted).Seconds(), jobs+1
		}
		for _, run := range r.Runs {
			if run.Outcome == "evicted" {
				kills++
			}
		}
	}
	return seconds / jobs, kills
}

// What a coarse scenario leaves out changes job times and kills by less than 2 %.
func TestACoarseScenarioIsNearTheExactOne(t *testing.T) {
	exact, kills := timesAndKills(t, false)
	coarse, coarseKills := timesAndKills(t, true)
	t.Logf("a job takes %.1f s and %.1f s in the coarse way, with %.0f and %.0f kills", exact, coarse, kills, coarseKills)
	if math.Abs(coarse/exact-1) > 0.02 {
		t.Errorf("mean time of a job in the coarse way = %v s, want %v ± 2 %%", coarse, exact)
	}
	if math.Abs(coarseKills/kills-1) > 0.02 {
		t.Errorf("kills in the coarse way = %v, want %v ± 2 %%", coarseKills, kills)
	}
}
