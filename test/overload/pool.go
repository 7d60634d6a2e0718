package main

import (
	"math"
	"math/rand/v2"
	"time"

	"lull/sim"
	"lull/subjects/spec"
)

// hosts are four slots of different residuals.
var hosts = []sim.Host{
	{Name: "idle", Cores: 1},
	{Name: "light", Cores: 1, Load: sim.Steady(0.25)},
	{Name: "half", Cores: 1, Load: sim.Steady(0.5)},
	{Name: "loaded", Cores: 1, Load: sim.Steady(0.7)},
}

// truths are what tasks really take, with a noise that no model knows: pi
// is slowed most by load, a sort waits for its disk.
var truths = []sim.Truth{
	{Type: "pi", Noise: 0.15, Points: []sim.Point{{Residual: 0.3, Seconds: 100}, {Residual: 0.5, Seconds: 60}, {Residual: 0.75, Seconds: 40}, {Residual: 1, Seconds: 30}}},
	{Type: "terasort:map", Noise: 0.15, Points: []sim.Point{{Residual: 0.3, Seconds: 45}, {Residual: 0.5, Seconds: 32}, {Residual: 1, Seconds: 24}}},
	{Type: "terasort:reduce", Noise: 0.15, Points: []sim.Point{{Residual: 0.3, Seconds: 70}, {Residual: 0.5, Seconds: 50}, {Residual: 1, Seconds: 40}}},
}

func stage(name string, tasks uint32, estimate time.Duration) spec.Stage {
	return spec.Stage{
		Name: name, Argv: []string{"true"}, Tasks: tasks, CPU: 1, Memory: 64 << 20, Retries: 3, Backoff: time.Second, Estimate: estimate,
	}
}

func pi(rng *rand.Rand) spec.Job {
	return spec.Job{Name: "pi", Type: "pi", Stages: []spec.Stage{stage("work", 4+rng.Uint32N(9), 35*time.Second)}}
}

func terasort(rng *rand.Rand) spec.Job {
	reduce := stage("reduce", 2, 45*time.Second)
	reduce.From = []spec.From{{Stage: 0}}
	return spec.Job{Name: "terasort", Type: "terasort", Stages: []spec.Stage{stage("map", 4+rng.Uint32N(9), 28*time.Second), reduce}}
}

// alone returns how many seconds a job takes if it has all slots for itself, by the truths: its tasks
// divided by the sum of the slots' rates.
func alone(j spec.Job) float64 {
	total := 0.0
	for i, st := range j.Stages {
		rate := 0.0
		for _, t := range truths {
			if t.Type == j.Model(i) {
				for _, r := range []float64{1, 0.75, 0.5, 0.3} {
					rate += 1 / at(t, r)
				}
			}
		}
		total += float64(st.Tasks) / rate
	}
	return total
}

func at(t sim.Truth, r float64) float64 {
	for i, p := range t.Points {
		if r <= p.Residual {
			if i == 0 {
				return p.Seconds
			}
			q := t.Points[i-1]
			share := (r - q.Residual) / (p.Residual - q.Residual)
			return math.Exp(math.Log(q.Seconds)*(1-share) + math.Log(p.Seconds)*share)
		}
	}
	return t.Points[len(t.Points)-1].Seconds
}

// offered submits jobs so that they ask for a share of what the slots can do, by Poisson arrivals.
// The deadline of each is two to six times the time that it would take alone.
func offered(seed uint64, utilisation float64, span time.Duration) (jobs []sim.Job) {
	rng := rand.New(rand.NewPCG(seed, 11))
	for now := time.Duration(0); now < span; {
		job := []func(*rand.Rand) spec.Job{pi, terasort}[rng.IntN(2)](rng)
		seconds := alone(job)
		job.DeadlineIn = time.Duration((2 + 4*rng.Float64()) * seconds * float64(time.Second))
		jobs = append(jobs, sim.Job{At: now, Spec: job})
		now += time.Duration(rng.ExpFloat64() * seconds / utilisation * float64(time.Second))
	}
	return jobs
}

// overloaded offers the four slots a share of what they can do.
func overloaded(utilisation float64, span time.Duration) scenario {
	return func(seed uint64) (sim.Scenario, error) {
		return sim.Scenario{Hosts: hosts, Types: truths, Jobs: offered(seed, utilisation, span)}, nil
	}
}
