package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"lull/sim"
)

const (
	// level is the grain of declared loads, in cores. States of a host can
	// then be counted instead of listed: see package bound.
	level = 0.05
	// shift is how often a load moves, by a level or not at all.
	shift = 30 * time.Second
	// drawn is the length of a declared load; behind it, it begins anew.
	drawn = 6 * time.Hour
)

// Class is a number of hosts with loads in the same band.
type Class struct {
	Name  string
	Hosts int
	Cores uint32
	// Low and High bound the primary's load, in cores; both 0 is dedicated.
	Low, High float64
}

// CaseStudy is the cluster of MIMP's section 6.6. A load of 20–35 % is of one
// core: the paper counts to 200 % on two.
var CaseStudy = []Class{
	{"dedicated", 6, 2, 0, 0},
	{"light", 6, 2, 0.20, 0.35},
	{"medium", 6, 2, 0.85, 0.95},
	{"heavy", 2, 2, 1.30, 1.70},
}

// Hosts makes the hosts of classes, each with a load of its own.
func Hosts(classes []Class, rng *rand.Rand) []sim.Host {
	var hosts []sim.Host
	for _, c := range classes {
		for i := range c.Hosts {
			h := sim.Host{Name: fmt.Sprintf("%s-%d", c.Name, i+1), Cores: c.Cores}
			if c.High > 0 {
				h.Load = Band(c.Low, c.High, rng)
			}
			hosts = append(hosts, h)
		}
	}
	return hosts
}

// Band is a load that wanders between low and high.
func Band(low, high float64, rng *rand.Rand) sim.Series {
	first, last := int(math.Round(low/level)), int(math.Round(high/level))
	at := first + rng.IntN(last-first+1)
	cores := make([]float64, drawn/shift)
	for i := range cores {
		cores[i] = float64(at) / (1 / level)
		at = min(max(at+rng.IntN(3)-1, first), last)
	}
	return sim.Series{Every: shift, Cores: cores}
}
