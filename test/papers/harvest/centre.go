package harvest

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"lull/classifier"
	"lull/classifier/classes"
	"lull/classifier/generation"
	"lull/classifier/learn"
	"lull/classifier/study"
	"lull/sim"
	"lull/subjects"
	"lull/subjects/profile"
)

// The servers of the paper's testbed and simulations.
const (
	cores   = 12
	reserve = 4 // cores: a third
	memory  = 32 << 30
	// memoryReserve is the memory that systems with a reserve leave to the primary. No public trace has the memory that
	// primaries use, so here they use none of the rest. A task takes 2 GB: a server has memory for eleven tasks, and
	// cores for eight.
	memoryReserve = 10 << 30
)

// mix is the composition of a data centre: for each pattern, the number of its tenants and their share of
// the servers.
type mix struct {
	tenants [3]int
	servers [3]float64
}

// centre is a data centre at one level of CPU use.
type centre struct {
	tenants []tenant
	of      []int   // the tenant of each server
	by      scaling // applied to the tenants' use, so that the servers' mean is level
	level   float64 // mean use of the servers in the future month

	learnt sync.Map // *learnt, by the time up to which and the seed with which it was learnt
}

// learnt is what the classifier learns from the history up to a time. It is computed once and used for all
// systems.
type learnt struct {
	once   sync.Once
	events []subjects.Event
}

// scaler makes a scaling from its one parameter. A larger parameter gives a higher mean use.
type scaler func(x float64) scaling

// newCentre draws a data centre of so many servers, with a mean use of level. Which patterns the tenants
// have depends on the scaling, and the scaling depends on which tenants are drawn. So newCentre computes
// both in turn, five times.
func newCentre(all []tenant, m mix, servers int, level float64, scale scaler, rng *rand.Rand) *centre {
	c := &centre{by: scale(1)}
	seed := rng.Uint64()
	for range 5 {
		found := patterns(all, c.by)
		c.fill(all, m, found, servers, rand.New(rand.NewPCG(seed, 1)))
		c.solve(level, scale)
	}
	return c
}

func (c *centre) fill(all []tenant, m mix, found map[profile.Pattern][]int, servers int, rng *rand.Rand) {
	c.tenants, c.of = nil, nil
	for i, pattern := range profile.Patterns() {
		first := len(c.tenants)
		for k, t := range drawSome(found[pattern], m.tenants[i], rng) {
			own := all[t]
			own.name = fmt.Sprintf("%s-%d-%s", pattern, k, own.name)
			c.tenants = append(c.tenants, own)
		}
		n := len(c.tenants) - first
		for k := range int(m.servers[i]*float64(servers) + 0.5) {
			if n > 0 && len(c.of) < servers {
				c.of = append(c.of, first+k%n)
			}
		}
	}
}

// solve finds the scaling at which the servers' mean use is the level. It uses the future month, as the
// paper does. That gives the systems no knowledge of the future: none of them sees the level.
func (c *centre) solve(level float64, scale scaler) {
	low, high := 0.01, 100.0
	for range 40 {
		x := (low + high) / 2
		if c.use(scale(x)) < level {
			low = x
		} else {
			high = x
		}
	}
	c.by = scale((low + high) / 2)
	c.level = c.use(c.by)
}

func (c *centre) use(by scaling) float64 {
	each := make([]float64, len(c.tenants))
	for i := range c.tenants {
		each[i] = mean(c.tenants[i].future, by)
	}
	sum := 0.0
	for _, t := range c.of {
		sum += each[t]
	}
	return sum / float64(len(c.of))
}

// hosts returns the simulator's hosts, with the load of the future month from a time on.
func (c *centre) hosts(from time.Duration) (hosts []sim.Host) {
	loads := make([]*sim.Series, len(c.tenants))
	for i := range c.tenants {
		future := scaled(c.tenants[i].future, c.by)
		loads[i] = &sim.Series{Every: future.Step}
		for _, v := range future.Mean[int(from/future.Step):] {
			loads[i].Cores = append(loads[i].Cores, cores*float64(v))
		}
	}
	for i, t := range c.of {
		hosts = append(hosts, sim.Host{
			Name: fmt.Sprintf("s%04d", i), Cores: cores, Tenant: c.tenants[t].name, Load: loads[t],
		})
	}
	return hosts
}

// classes returns the classifier's events, learnt from the history up to a time of the future month.
func (c *centre) classes(from time.Duration, seed uint64) []subjects.Event {
	type key struct {
		from time.Duration
		seed uint64
	}
	found, _ := c.learnt.LoadOrStore(key{from, seed}, new(learnt))
	l := found.(*learnt)
	l.once.Do(func() { l.events = c.learn(from, seed) })
	return l.events
}

func (c *centre) learn(from time.Duration, seed uint64) []subjects.Event {
	builder := generation.New(learn.Options{})
	for i := range c.tenants {
		builder.Add(c.tenants[i].name, window(scaled(c.tenants[i].known(from), c.by)), nil)
	}
	var found study.Found
	found.Generation, found.Names = builder.Finish(classes.State{}, seed)
	return classifier.Events(found, sim.Begin, seed)
}
