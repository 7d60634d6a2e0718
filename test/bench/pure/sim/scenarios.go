package sim

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"lull/sim"
	"lull/sim/trace"
	"lull/subjects/spec"
	"lull/test/tables"
)

// caseStudy has the size of MIMP's: 20 hosts of two cores, 174 jobs in two and
// a half hours.
func caseStudy(seed uint64) (sim.Scenario, error) {
	return sim.Scenario{
		Seed: seed, Hosts: simHosts(20, 2, time.Minute, seed), Types: simTypes(20, 30, 15),
		Jobs: simJobs(174, 150*time.Minute, 80, 15*time.Minute, seed),
	}, nil
}

// briskPool is tasks of less than a second on 400 slots: hardly anything but
// the log.
func briskPool(seed uint64) (sim.Scenario, error) {
	return sim.Scenario{
		Seed: seed, Hosts: simHosts(50, 8, time.Minute, seed), Types: simTypes(0.5, 0.7, 0.3),
		Jobs: simJobs(200, 2*time.Minute, 600, 0, seed),
	}, nil
}

const dayHosts = 600

// daySource is where a day of 600 hosts comes from: files, or else a generator
// of the same size.
type daySource struct{ hosts, jobs, only string }

var aDay daySource

// Table is the benchmark of the simulator.
var Table = tables.Table{Name: "sim", What: "the simulator, up to a day of 600 hosts", Flags: aDay.flags, Run: aDay.simulation}

func (d *daySource) flags(f *flag.FlagSet) {
	f.StringVar(&d.hosts, "hosts", "", "CSV of usage, whose first 600 hosts make the day (default: drawn)")
	f.StringVar(&d.jobs, "jobs", "", "CSV of jobs, submitted on that day (default: drawn)")
	f.StringVar(&d.only, "only", "", "the row to measure, for instance centre (default: all)")
}

func (d *daySource) scenario(seed uint64) (sim.Scenario, error) {
	s := sim.Scenario{
		Seed: seed, Hosts: simHosts(dayHosts, 2, 5*time.Minute, seed), Types: simTypes(20, 30, 15),
		Jobs: simJobs(6000, 24*time.Hour, 50, time.Hour, seed),
	}
	var begin time.Duration
	if d.hosts != "" {
		pool, err := read(d.hosts, func(r io.Reader) (*trace.Pool, error) {
			return trace.Hosts(r, d.hosts, trace.HostOptions{Take: dayHosts})
		})
		if err != nil {
			return s, err
		}
		s.Hosts, begin = pool.Hosts, pool.Begin
	}
	if d.jobs == "" {
		return s, nil
	}
	list, err := read(d.jobs, func(r io.Reader) (*trace.List, error) {
		return trace.Jobs(r, d.jobs, trace.JobOptions{Begin: begin, Until: begin + 24*time.Hour, Swim: trace.Swim{Slots: 2 * dayHosts}})
	})
	if err != nil {
		return s, err
	}
	s.Jobs, s.Types = list.Jobs, list.Types
	for i := range s.Jobs {
		s.Jobs[i].Patience = 24 * time.Hour
	}
	return s, nil
}

func read[T any](path string, how func(io.Reader) (T, error)) (found T, err error) {
	f, err := os.Open(path)
	if err != nil {
		return found, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	return how(f)
}

// simHosts have primaries that use up to nine tenths of them, another part in
// each interval.
func simHosts(n int, cores uint32, every time.Duration, seed uint64) []sim.Host {
	rng := rand.New(rand.NewPCG(seed, 1))
	hosts := make([]sim.Host, n)
	for i := range hosts {
		load := make([]float64, 97)
		for k := range load {
			load[k] = float64(cores) * 0.9 * rng.Float64()
		}
		hosts[i] = sim.Host{Name: hostName(i), Cores: cores, Load: sim.Series{Every: every, Cores: load}}
	}
	return hosts
}

// simJobs come evenly. Half of them have more than half as many tasks as most
// says; deadlines are within one and two times least, none for 0.
func simJobs(n int, over time.Duration, most int, least time.Duration, seed uint64) []sim.Job {
	rng := rand.New(rand.NewPCG(seed, 2))
	jobs := make([]sim.Job, n)
	for i := range jobs {
		name := jobType(i % 3)
		s := spec.Job{Name: name, Type: name, Stages: []spec.Stage{{
			Name: "work", Argv: []string{"task"}, Tasks: 1 + uint32(rng.IntN(most)), CPU: 1, Memory: 1 << 20, Retries: 3,
		}}}
		jobs[i] = sim.Job{At: over * time.Duration(i) / time.Duration(n), Spec: s}
		if least > 0 {
			jobs[i].Spec.DeadlineIn = least + time.Duration(rng.Int64N(int64(least)))
			jobs[i].Patience = 10 * time.Minute
		}
	}
	return jobs
}

// simTypes take these seconds on an idle core, and load slows them differently.
func simTypes(seconds ...float64) []sim.Truth {
	types := make([]sim.Truth, len(seconds))
	for i, s := range seconds {
		types[i] = sim.Truth{Type: jobType(i), Noise: 0.1, Points: []sim.Point{
			{Residual: 0.05, Seconds: s * []float64{20, 2, 10}[i]}, {Residual: 1, Seconds: s},
		}}
	}
	return types
}

func hostName(i int) string { return fmt.Sprintf("host-%d", i) }

func jobType(i int) string { return fmt.Sprintf("type-%d", i) }
