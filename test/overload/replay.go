package main

import (
	"io"
	"os"
	"time"

	"lull/sim"
	"lull/sim/trace"
)

// traces are measured hosts and jobs, and which part of them is replayed.
type traces struct {
	Hosts, Jobs string // paths
	Take        int    // hosts
	Until       time.Duration
	Nodes       float64 // of the cluster that the jobs are of
	Speed       float64
	Align       bool // begin both together, whatever their clocks say
}

// read makes a scenario of them. Seeds differ in the tasks' variance alone.
func (t *traces) read() (scenario, error) {
	pool, err := open(t.Hosts, func(r io.Reader) (*trace.Pool, error) {
		return trace.Hosts(r, t.Hosts, trace.HostOptions{Take: t.Take, Until: t.Until, Cores: 2})
	})
	if err != nil {
		return nil, err
	}
	o := trace.JobOptions{Begin: pool.Begin, Align: t.Align, Until: t.Until, Speed: t.Speed, Noise: 0.1}
	for i := range pool.Hosts {
		o.Swim.Slots += float64(pool.Hosts[i].Cores)
	}
	o.Swim.Scale = min(1, float64(len(pool.Hosts))/t.Nodes)
	list, err := open(t.Jobs, func(r io.Reader) (*trace.List, error) { return trace.Jobs(r, t.Jobs, o) })
	if err != nil {
		return nil, err
	}
	for i := range list.Jobs {
		list.Jobs[i].Patience = 72 * time.Hour
	}
	return func(uint64) (sim.Scenario, error) {
		return sim.Scenario{Hosts: pool.Hosts, Types: list.Types, Jobs: list.Jobs}, nil
	}, nil
}

func open[T any](path string, read func(io.Reader) (T, error)) (result T, err error) {
	file, err := os.Open(path)
	if err != nil {
		return result, err
	}
	defer file.Close() //nolint:errcheck // only read
	return read(file)
}
