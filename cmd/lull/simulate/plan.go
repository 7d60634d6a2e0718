package simulate

import (
	"fmt"
	"io"
	"os"
	"time"

	"lull/sim"
	"lull/sim/trace"
)

// telemetry is how often a host repeats unchanged values. Changes are published at once, as live
// hosts do. Repeats every second would be most of a run's work.
const telemetry = 5 * time.Second

// Plan is what all runs have in common.
type Plan struct {
	Options
	Pool *trace.Pool
	List *trace.List
	// Scenario lacks the policy and the seed.
	Scenario sim.Scenario
	// Notes are what a reader of the figures must know.
	Notes []string
}

// Load reads the files. Its errors are the user's to correct.
func Load(o Options) (*Plan, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	p := &Plan{Options: o}
	p.mean()
	for _, read := range []func() error{p.machines, p.hosts, p.jobs, p.network, p.curves, p.pool, p.tenants, p.learn} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	for i := range p.List.Jobs {
		p.List.Jobs[i].Patience = o.Patience
	}
	p.note()
	return p, nil
}

// pool makes the scenario of what was read.
func (p *Plan) pool() error {
	p.Scenario.Hosts, p.Scenario.Jobs, p.Scenario.DataNodes = p.Pool.Hosts, p.List.Jobs, p.DataNodes
	p.Scenario.Telemetry = telemetry
	return nil
}

// mean replaces zeros from the command line by values that mean none: in the options of package trace a
// zero means "not set".
func (p *Plan) mean() {
	if p.Job.Swim.DeadlineFactor == 0 {
		p.Job.Swim.DeadlineFactor = -1
	}
	p.Job.Swim.Moves = p.Topology != ""
	p.Host.MaxMissing = max(p.Host.MaxMissing, 1e-9)
}

// readFile opens a file for one of trace's readers.
func readFile[T any](path string, how func(io.Reader) (T, error)) (T, error) {
	f, err := os.Open(path)
	if err != nil {
		var none T
		return none, err
	}
	defer func() { _ = f.Close() }()
	return how(f)
}

func (p *Plan) machines() (err error) {
	if p.Machines == "" {
		return nil
	}
	p.Host.Machines, err = readFile(p.Machines, func(r io.Reader) (map[string]trace.Machine, error) {
		return trace.Machines(r, p.Machines, p.Host.SkipBad)
	})
	return err
}

func (p *Plan) hosts() (err error) {
	p.Pool, err = readFile(p.Hosts, func(r io.Reader) (*trace.Pool, error) { return trace.Hosts(r, p.Hosts, p.Host) })
	return err
}

func (p *Plan) jobs() (err error) {
	j := &p.Job
	j.Begin, j.Until, j.Align, j.SkipBad = p.Pool.Begin, p.Host.Until, p.Align, p.Host.SkipBad
	for i := range p.Pool.Hosts {
		h := &p.Pool.Hosts[i]
		j.MaxCores, j.MaxMemory = max(j.MaxCores, h.Cores), max(j.MaxMemory, h.Memory-h.Memory/reserve)
		j.Swim.Slots += float64(h.Cores)
	}
	if j.Swim.Scale == 0 {
		j.Swim.Scale = min(1, float64(len(p.Pool.Hosts))/p.Nodes)
	}
	p.List, err = readFile(p.Jobs, func(r io.Reader) (*trace.List, error) { return trace.Jobs(r, p.Jobs, *j) })
	if err != nil {
		return err
	}
	return p.overlap()
}

// reserve is the divisor for the part of a host's memory that lull never gives away: a tenth.
const reserve = 10

// overlap returns an error if the files cover different times.
func (p *Plan) overlap() error {
	if end := p.Pool.Begin + p.Pool.Span; !p.Align && p.List.First >= end {
		return fmt.Errorf("%s is about %s to %s and %s about %s to %s, both in seconds: they have no time in common. If the clocks differ, --align begins both together",
			p.Hosts, clock(p.Pool.Begin), clock(end), p.Jobs, clock(p.List.First), clock(p.List.Last))
	}
	return nil
}

func clock(t time.Duration) string { return fmt.Sprintf("%.0f", t.Seconds()) }

// curves replaces the assumption of conserved work for the types of tasks that were measured.
func (p *Plan) curves() error {
	p.Scenario.Types = p.List.Types
	if p.Curves == "" {
		return nil
	}
	measured, err := readFile(p.Curves, func(r io.Reader) ([]sim.Truth, error) { return trace.Curves(r, p.Curves) })
	if err != nil {
		return err
	}
	models := map[string]bool{}
	for i := range p.List.Jobs {
		job := &p.List.Jobs[i].Spec
		for s := range job.Stages {
			models[job.Model(s)] = true
		}
	}
	used := 0
	for _, t := range measured {
		if models[t.Type] {
			used++
		}
	}
	if used == 0 {
		return fmt.Errorf("%s: no curve is of a type in %s: name them as the jobs' column type does", p.Curves, p.Jobs)
	}
	p.Notes = append(p.Notes, fmt.Sprintf("%d of %d task types follow measured curves; work of the others is conserved.", used, len(models)))
	p.Scenario.Types = mergeTruths(p.Scenario.Types, measured)
	return nil
}

// mergeTruths joins two lists; entries of the second replace those of the first.
func mergeTruths(base, over []sim.Truth) []sim.Truth {
	replaced := map[string]bool{}
	for _, t := range over {
		replaced[t.Type] = true
	}
	all := append([]sim.Truth{}, over...)
	for _, t := range base {
		if !replaced[t.Type] {
			all = append(all, t)
		}
	}
	return all
}

// Cores returns the cores of all hosts.
func (p *Plan) Cores() (n float64) {
	for i := range p.Pool.Hosts {
		n += float64(p.Pool.Hosts[i].Cores)
	}
	return n
}

// Last is when the last job is submitted.
func (p *Plan) Last() time.Duration { return p.List.Jobs[len(p.List.Jobs)-1].At }
