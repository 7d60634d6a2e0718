package harvest

import (
	"time"

	"lull/admission"
	"lull/sim"
	"lull/slotter"
	"lull/subjects"
)

// system is a way of choosing servers. All take the jobs by submission, draw servers in proportion
// to their free cores, keep the reserve, and end the youngest tasks when it is broken.
type system struct {
	name    string
	steer   string // how history steers
	oracle  bool   // it knows the future, in place of history
	policy  string
	reserve uint32
	exact   bool // it depends on fractions of cores, so the coarse way cannot run it: see sim.Scenario.Coarse
	blind   bool // it sees no primary, and shares cores with them alike
}

var (
	// stock is a scheduler that knows no primaries: all cores are its own, and the kernel divides them.
	stock = system{name: "stock", policy: slotter.PolicyHarvest, blind: true}
	// primaryAware is the paper's PT: it sees what primaries use now, and nothing else.
	primaryAware = system{name: "PT", policy: slotter.PolicyHarvest, reserve: reserve}
	// history is the paper's H.
	history = system{name: "H", policy: slotter.PolicyHarvest, reserve: reserve, steer: slotter.SteerPaper}
	// profiled is H+: tasks go where they are likely to stay for as long as they run.
	profiled = system{name: "H+", policy: slotter.PolicyHarvest, reserve: reserve, steer: slotter.SteerProfile}
	// oracle is H+ that knows the future.
	oracle = system{name: "oracle", policy: slotter.PolicyHarvest, reserve: reserve, steer: slotter.SteerProfile, oracle: true}
	// lull is what people run on Linux: mp+, in the kernel's idle class, without a reserve of cores.
	lull = system{name: "lull", policy: slotter.PolicyMPPlus, exact: true}
	// lullProfiled is that with the survival of tasks.
	lullProfiled = system{name: "lull, profile", policy: slotter.PolicyMPPlus, steer: slotter.SteerProfile, exact: true}
)

// telemetry is the time between two samples of a server that does not change, where not only whole cores count:
// its usage is the same for five minutes.
const telemetry = 5 * time.Second

// scenario is a system's run of jobs on a data centre.
func (s system) scenario(seed uint64, c *centre, from time.Duration, jobs []sim.Job) sim.Scenario {
	scenario := sim.Scenario{
		Seed: seed, Hosts: c.hosts(from), Jobs: jobs, Tenants: c.classes(from, seed), Coarse: !s.exact,
		Admission: admission.Config{Mode: subjects.ModeAll},
		Slotter:   slotter.Config{Policy: s.policy, Steer: slotter.SteerOff, Rivals: -1, Pace: slotter.PaceOff, Preempt: slotter.PreemptNone},
	}
	if s.exact {
		scenario.Telemetry = telemetry
	}
	for i := range scenario.Hosts {
		h := &scenario.Hosts[i]
		h.Reserve, h.Blind, h.Alike, h.Memory = s.reserve, s.blind, s.blind, memory
		if s.reserve > 0 {
			h.Memory -= memoryReserve
		}
	}
	if s.steer != "" {
		scenario.Slotter.Steer = s.steer
	}
	if s.oracle {
		scenario.Slotter.PredictStay = foresee(scenario.Hosts)
	}
	return scenario
}

// foresee answers from what servers are going to use.
func foresee(hosts []sim.Host) func(string, time.Time, float64, time.Duration) float64 {
	loads := map[string]*sim.Host{}
	for i := range hosts {
		loads[hosts[i].Name] = &hosts[i]
	}
	return func(name string, now time.Time, room float64, lasts time.Duration) float64 {
		h := loads[name]
		at := now.Sub(sim.Begin)
		for until := at + lasts; at < until; {
			used, next := h.Load.At(max(at, 0))
			if used > room*float64(h.Cores)+1e-9 {
				return 0
			}
			at = next
		}
		return 1
	}
}
