package chaos

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"

	"lull/sim"
	"lull/slotter"
	"lull/subjects/spec"
)

// stream returns the random source of one purpose.
func stream(seed uint64, purpose string) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(purpose)) // never fails
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// faultPeriod is the time in which faults begin.
const faultPeriod = 15 * time.Minute

// drawPool draws a small cluster and its jobs.
func drawPool(seed uint64) sim.Scenario {
	rng := stream(seed, "pool")
	s := sim.Scenario{
		Seed: seed, Replicas: 1 + rng.IntN(2),
		SnapshotEvery: uint64(50 + rng.IntN(200)),
	}
	// If the log is trimmed, a pool cannot go on without its snapshot, and the error says so. So
	// a pool has only one of the two.
	if rng.IntN(2) == 0 {
		s.Keep = uint64(100 + rng.IntN(200))
	}
	s.Slotter.Policy = slotter.Policies()[rng.IntN(len(slotter.Policies()))]
	for i := range 3 + rng.IntN(3) {
		s.Hosts = append(s.Hosts, sim.Host{
			Name: fmt.Sprintf("h%d", i), Cores: uint32(1 + rng.IntN(4)),
			Load: sim.Series{Every: 20 * time.Second, Cores: drawLoads(rng)},
		})
	}
	for i := range 3 {
		s.Types = append(s.Types, sim.Truth{
			Type: fmt.Sprintf("type%d", i), Noise: 0.3,
			Points: []sim.Point{{Residual: 0.1, Seconds: 60 + 60*rng.Float64()}, {Residual: 1, Seconds: 5 + 25*rng.Float64()}},
		})
	}
	at := time.Duration(0)
	for range 6 + rng.IntN(8) {
		at += time.Duration(rng.ExpFloat64() * float64(time.Minute))
		s.Jobs = append(s.Jobs, sim.Job{At: at, Spec: drawJob(rng)})
	}
	drawQueues(seed, &s)
	drawParts(seed, &s)
	drawClasses(seed, &s)
	drawPlaces(seed, &s)
	return s
}

// drawQueues puts the jobs of half of the pools into queues, and draws one of the ways in which
// borrowers make way.
func drawQueues(seed uint64, s *sim.Scenario) {
	rng := stream(seed, "share")
	s.Slotter.Preempt = pick(rng, slotter.PreemptKill, slotter.PreemptThrottle, slotter.PreemptNone)
	s.Slotter.PreemptAfter = time.Duration(1+rng.IntN(20)) * time.Second
	if rng.IntN(2) == 0 {
		return
	}
	for i := range s.Jobs {
		s.Jobs[i].Spec.Queue = pick(rng, "", "low", "high")
	}
}

// drawParts gives the tasks of half of the jobs of a third of the pools parts of cores.
func drawParts(seed uint64, s *sim.Scenario) {
	rng := stream(seed, "divide")
	if rng.IntN(3) > 0 {
		return
	}
	for i := range s.Jobs {
		if st := &s.Jobs[i].Spec.Stages[0]; rng.IntN(2) == 0 {
			st.Part = pick[uint32](rng, 100, 250, 333, 500, 750)
		}
	}
}

func drawLoads(rng *rand.Rand) []float64 {
	cores := make([]float64, 7+rng.IntN(20))
	for i := range cores {
		cores[i] = rng.Float64() * 0.9
	}
	return cores
}

// drawJob draws a job of a stage or two, the second reading what the first wrote.
func drawJob(rng *rand.Rand) spec.Job {
	name := fmt.Sprintf("type%d", rng.IntN(3))
	j := spec.Job{Name: name, Type: name, Stages: []spec.Stage{stage("map", 1+rng.IntN(8))}}
	if rng.IntN(3) == 0 {
		j.Stages[0].CPU = uint32(1 + rng.IntN(2))
	}
	if rng.IntN(2) == 0 {
		reduce := stage("reduce", 1+rng.IntN(3))
		reduce.From = []spec.From{{Stage: 0}}
		j.Stages = append(j.Stages, reduce)
	}
	if rng.IntN(2) == 0 {
		j.DeadlineIn = time.Duration(1+rng.IntN(30)) * time.Minute
	}
	return j
}

func stage(name string, tasks int) spec.Stage {
	return spec.Stage{Name: name, Tasks: uint32(tasks), CPU: 1, Memory: 64 << 20, Retries: retries, Backoff: time.Second, Argv: []string{"true"}, Estimate: 20 * time.Second}
}

// Draw makes a seed's script.
func Draw(seed uint64) *Script {
	rng, scenario := stream(seed, "script"), drawPool(seed)
	d := drawing{rng: rng, s: scenario}
	script := &Script{Seed: seed}
	for range 5 + rng.IntN(25) {
		script.Steps = append(script.Steps, d.step())
	}
	script.Steps = append(script.Steps, drawReplicaSteps(seed, &scenario, "classifier", scenario.Classifiers)...)
	script.Steps = append(script.Steps, drawReplicaSteps(seed, &scenario, "placer", scenario.Placers)...)
	slices.SortStableFunc(script.Steps, func(a, b Step) int { return int(a.At - b.At) })
	return script
}

type drawing struct {
	rng      *rand.Rand
	s        sim.Scenario
	vanished int // times that outputs vanish
}

// maxVanishes is the most times that outputs vanish. A task loses its output at most that often, and its
// stage has enough retries for it.
const maxVanishes = retries

const retries = 3

// step draws a fault. Half of them hit the effects of the services, which is
// where the order of events matters most.
func (d *drawing) step() Step {
	s := Step{At: time.Duration(d.rng.Int64N(int64(faultPeriod))).Round(time.Millisecond)}
	if d.rng.IntN(2) == 0 {
		d.drawEffect(&s)
	} else {
		d.drawWorldFault(&s)
	}
	return s
}

func (d *drawing) drawEffect(s *Step) {
	s.Do = pick(d.rng, "lose", "loseack", "delay", "delayack", "again", "refuse", "crashbefore", "crashafter")
	s.Op = pick(d.rng, sim.Ops...)
	s.Target = pick(d.rng, d.service(), d.service(), d.agent(), "*", "third")
	s.By = d.span(5 * time.Second)
	if s.Do != "crashbefore" && s.Do != "crashafter" && d.rng.IntN(2) == 0 {
		s.For = d.span(time.Minute)
	}
}

func (d *drawing) drawWorldFault(s *Step) {
	s.Do = pick(d.rng, "crash", "crash", "stop", "poweroff", "poweroff", "leave", "expire", "forget", "skew", "full", "disk", "vanish", "garbage", "pause", "drain", "pauseall", "stranger")
	if s.Do == "forget" && d.s.Keep != 0 {
		s.Do = "crash"
	}
	s.Target, s.For = d.host(), d.span(time.Minute)
	switch s.Do {
	case "crash", "stop":
		s.Target = pick(d.rng, d.service(), d.service(), d.agent())
	case "expire", "forget":
		s.Target, s.For = d.service(), 0
	case "skew":
		s.Target, s.For = pick(d.rng, d.service(), d.agent()), 0
		s.By = d.span(time.Minute) - 30*time.Second
	case "poweroff":
		s.Target = pick(d.rng, d.host(), d.host(), "third", "*")
	case "garbage":
		s.For = 0
	case "stranger":
		s.Target, s.For = pick(d.rng, "admission", "slotter"), 0
	case "vanish":
		s.Target, s.For = pick(d.rng, d.host(), "*"), 0
		if d.vanished++; d.vanished > maxVanishes {
			s.Do, s.Target = "garbage", d.host()
		}
	case "full", "pauseall":
		s.Target = "pool"
	}
}

func (d *drawing) service() string {
	return fmt.Sprintf("%s/%d", pick(d.rng, "admission", "slotter"), d.rng.IntN(d.s.Replicas))
}
func (d *drawing) agent() string { return "host/" + d.host() }
func (d *drawing) host() string  { return d.s.Hosts[d.rng.IntN(len(d.s.Hosts))].Name }

// span draws a time that is mostly short.
func (d *drawing) span(mean time.Duration) time.Duration {
	return (time.Millisecond + time.Duration(d.rng.ExpFloat64()*float64(mean))).Round(time.Millisecond)
}

func pick[T any](rng *rand.Rand, from ...T) T { return from[rng.IntN(len(from))] }
