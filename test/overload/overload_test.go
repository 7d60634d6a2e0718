// Package overload holds admission to its word: in a pool that is offered more
// than it can do, what is admitted is done in time. The services are the real
// ones, in virtual time.
package overload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"lull/admission"
	"lull/sim"
	"lull/subjects/spec"
)

// Four slots of different residuals.
var hosts = []sim.Host{
	{Name: "idle", Cores: 1},
	{Name: "light", Cores: 1, Load: sim.Steady(0.25)},
	{Name: "half", Cores: 1, Load: sim.Steady(0.5)},
	{Name: "loaded", Cores: 1, Load: sim.Steady(0.7)},
}

// truths are what tasks really take, with a noise that no model knows: pi
// suffers most from load, a sort waits for its disk.
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

// seconds is how long the slots take for a job if it has them alone, by the
// truths: its tasks over the sum of the slots' rates.
func seconds(j spec.Job) float64 {
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

// offered submits jobs so that they ask for a share of what the slots can do,
// by Poisson arrivals; each is given two to six times the time it would take
// alone.
func offered(seed uint64, utilisation float64, span time.Duration) (jobs []sim.Job) {
	rng := rand.New(rand.NewPCG(seed, 11))
	for now := time.Duration(0); now < span; {
		job := []func(*rand.Rand) spec.Job{pi, terasort}[rng.IntN(2)](rng)
		alone := seconds(job)
		job.DeadlineIn = time.Duration((2 + 4*rng.Float64()) * alone * float64(time.Second))
		jobs = append(jobs, sim.Job{At: now, Spec: job})
		now += time.Duration(rng.ExpFloat64() * alone / utilisation * float64(time.Second))
	}
	return jobs
}

// tally is what became of the jobs.
type tally struct{ met, missed, rejected, others int }

func (t *tally) add(r *sim.Result) {
	for _, j := range r.Jobs {
		switch {
		case j.State == "rejected":
			t.rejected++
		case j.State != "finished":
			t.others++
		case j.Late(r.End) > 0:
			t.missed++
		default:
			t.met++
		}
	}
}

func run(t *testing.T, mode string, utilisation float64, seeds uint64) (sum tally) {
	for seed := range seeds {
		s := sim.Scenario{
			Seed: seed, Hosts: hosts, Types: truths, Jobs: offered(seed, utilisation, 4*time.Hour),
			Admission: admission.Config{Mode: mode},
		}
		r, err := sim.Run(t.Context(), s)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		sum.add(r)
	}
	return sum
}

func TestPromisesHoldUnderOverload(t *testing.T) {
	var table strings.Builder
	fmt.Fprintln(&table, "load  mode       met  missed  rejected")
	for _, utilisation := range []float64{0.8, 1.2, 2} {
		for _, mode := range []string{admission.ModeAffected, admission.ModeEq7} {
			sum := run(t, mode, utilisation, 3)
			fmt.Fprintf(&table, "%.1f   %-9s %4d  %6d  %8d\n", utilisation, mode, sum.met, sum.missed, sum.rejected)
			if sum.others > 0 {
				t.Errorf("%d jobs came to nothing", sum.others)
			}
			if mode == admission.ModeAffected && float64(sum.met) < 0.99*float64(sum.met+sum.missed) {
				t.Errorf("at %.1f, %d of %d admitted jobs missed their deadlines", utilisation, sum.missed, sum.met+sum.missed)
			}
		}
	}
	t.Log("\n" + table.String())
}
