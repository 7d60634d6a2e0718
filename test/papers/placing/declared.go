package placing

import (
	"fmt"
	"math/rand/v2"
	"time"

	"lull/placer/predict"
	"lull/placer/search"
	"lull/placer/topology"
	"lull/subjects/tct"
)

// What the paper does not print, and was chosen: docs/papers.md says why.
const (
	racks    = 20
	perRack  = 40
	asked    = 80
	slots    = 2 // of a host
	reduces  = asked * slots
	mapBytes = 64 << 20
	megabit  = 1e6 / 8

	sortMaps      = asked * 2 << 30 / mapBytes       // 2 GB a node
	analyticsMaps = 438 << 30 / mapBytes / 160 * 160 // 438 GB, in whole waves
)

// flat takes so many seconds on an idle core, and conserves work.
func flat(seconds float64) *tct.Curve {
	return tct.Default(time.Duration(seconds * float64(time.Second)))
}

// evaluation is the pool of the paper's section 3: rack i has an uplink of 800 − 100·(i mod 7) Mbit/s.
func evaluation() *predict.Snapshot {
	s := &predict.Snapshot{Tree: &topology.Tree{}}
	for r := range racks {
		up := float64(800-100*(r%7)) * megabit
		s.Tree.Racks = append(s.Tree.Racks, topology.Rack{Name: fmt.Sprintf("rack%02d", r), Up: up, Down: up})
		for h := range perRack {
			s.Tree.Hosts = append(s.Tree.Hosts, topology.Host{Name: fmt.Sprintf("r%02dh%02d", r, h), Rack: r, Out: 1000 * megabit, In: 1000 * megabit, Disk: 100e6})
			s.Hosts = append(s.Hosts, predict.Host{Slots: slots, Idle: slots})
		}
	}
	return s
}

// sorted is Sort: everything is read, moved and written once.
func sorted() *predict.Application {
	return &predict.Application{Stages: []predict.Stage{
		{Tasks: sortMaps, Input: mapBytes, Gives: 1, Curve: flat(2), Overhead: 0.5},
		{From: []predict.From{{Stage: 0}}, Tasks: reduces, Gives: 1, Curve: flat(20), Overhead: 0.5},
	}}
}

// replicated is Sort with two more copies of its output, each on another host: they are written as a
// stage that reads all of it twice.
func replicated() *predict.Application {
	app := sorted()
	app.Stages = append(app.Stages, predict.Stage{
		From: []predict.From{{Stage: 1}, {Stage: 1}}, Tasks: reduces, Curve: flat(0.1),
	})
	return app
}

// analytics is two jobs after each other. The first counts accesses: its maps pass on a third of what they
// read. The second sorts the counts, which are a twentieth of it.
func analytics() *predict.Application {
	return &predict.Application{Stages: []predict.Stage{
		{Tasks: analyticsMaps, Input: mapBytes, Gives: firstShuffle, Curve: flat(4), Overhead: 0.5},
		{From: []predict.From{{Stage: 0}}, Tasks: reduces, Gives: secondShuffle / firstShuffle, Curve: flat(20), Overhead: 0.5},
		{From: []predict.From{{Stage: 1, Kind: predict.After}}, Tasks: reduces, Input: secondShuffle * analyticsMaps * mapBytes / reduces, Gives: 1, Curve: flat(5), Overhead: 0.5},
		{From: []predict.From{{Stage: 2}}, Tasks: reduces, Gives: 1, Curve: flat(5), Overhead: 0.5},
	}}
}

// Shares of the 438 GB that the two jobs of Analytics shuffle.
const firstShuffle, secondShuffle = 0.25, 0.05

// Sorting is the question of figures 2 and 3: Sort on 80 of 800 hosts.
func Sorting() search.Problem {
	return search.Problem{App: sorted(), Snapshot: evaluation(), Hosts: asked}
}

// Wide is a drawn DAG with as many stages as the widest of the TPC-DS queries.
func Wide() *predict.Application {
	rng := rand.New(rand.NewPCG(36, 0))
	app := &predict.Application{}
	for i := range 36 {
		s := predict.Stage{Tasks: 1 + rng.IntN(300), Gives: 0.3 + 0.5*rng.Float64(), Curve: flat(1 + 5*rng.Float64())}
		for j := max(0, i-6); j < i; j++ {
			if rng.IntN(3) == 0 {
				kind := predict.Part
				if app.Stages[j].Tasks < 8 {
					kind = predict.All
				}
				s.From = append(s.From, predict.From{Stage: j, Kind: kind})
			}
		}
		if len(s.From) == 0 {
			s.Input = 32e6
		}
		app.Stages = append(app.Stages, s)
	}
	return app
}
