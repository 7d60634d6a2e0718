package sim

import (
	"math"
	"math/rand/v2"
	"time"

	"lull/admission"
	"lull/sim"
	"lull/slotter"
	"lull/subjects"
	"lull/subjects/spec"
)

// A data centre of the size that papers simulate: tenants whose servers share a series, and jobs that come evenly.
const (
	centreHosts   = 4000
	centreTenants = 60
	centreDays    = 30
	centreJobs    = 2000
	centreTasks   = 500
	centreCores   = 12
	centreStep    = 5 * time.Minute
	// centreKeep is how much of its log the pool keeps: some hours. What lull's services keep by default is more
	// than these 30 days, and would be most of the memory.
	centreKeep = 50_000
)

// dataCentre is 30 days of it. Primaries follow the day, and vary around it; the paper's scheduler keeps a reserve of a third
// of the cores.
func dataCentre(seed uint64) (sim.Scenario, error) {
	rng := rand.New(rand.NewPCG(seed, 4))
	s := sim.Scenario{
		Seed: seed, Coarse: true, Keep: centreKeep, Admission: admission.Config{Mode: subjects.ModeAll},
		Slotter: slotter.Config{Policy: slotter.PolicyHarvest, Rivals: -1, Pace: slotter.PaceOff, Preempt: slotter.PreemptNone},
	}
	loads := make([]*sim.Series, centreTenants)
	for i := range loads {
		loads[i] = dailyLoad(rng)
	}
	for i := range centreHosts {
		s.Hosts = append(s.Hosts, sim.Host{Name: hostName(i), Cores: centreCores, Reserve: centreCores / 3, Load: loads[i%centreTenants]})
	}
	for i := range centreJobs {
		at := centreDays * 24 * time.Hour * time.Duration(i) / centreJobs
		s.Jobs = append(s.Jobs, sim.Job{At: at, Spec: spec.Job{Name: jobType(i % 3), Type: jobType(i % 3), Stages: []spec.Stage{{
			Name: "work", Argv: []string{"task"}, Tasks: centreTasks, CPU: 1, Memory: 1 << 20, Retries: 3, Estimate: time.Duration(60+rng.IntN(1200)) * time.Second,
		}}}})
	}
	return s, nil
}

// dailyLoad uses a third of the cores on average, more by day and less by night.
func dailyLoad(rng *rand.Rand) *sim.Series {
	load := &sim.Series{Every: centreStep}
	phase, swing, noise, stray := rng.Float64(), 0.25*rng.Float64(), 0.05*rng.Float64(), 0.0
	for i := range int(centreDays * 24 * time.Hour / centreStep) {
		stray += noise*rng.NormFloat64() - stray/4
		day := float64(i) / float64(24*time.Hour/centreStep)
		u := 0.33 + float64(swing*math.Sin(2*math.Pi*(day+phase))) + stray
		load.Cores = append(load.Cores, centreCores*min(max(u, 0), 1))
	}
	return load
}
