package harvest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"lull/sim"
	"lull/test/papers/workload"
	"lull/test/report"
	"lull/test/tables"
)

// mixes are the ten data centres. The paper prints no more of them than that 40 % of the servers have
// periodic tenants and 35 % constant ones on average (Figures 2 and 3), that usage varies the least in DC-0
// and DC-2, and the most in DC-1 and DC-4. Shares of servers: unpredictable, constant, periodic.
var mixes = []mix{
	{twenty, [3]float64{0.05, 0.70, 0.25}},
	{twenty, [3]float64{0.40, 0.05, 0.55}},
	{twenty, [3]float64{0.05, 0.75, 0.20}},
	{twenty, [3]float64{0.25, 0.35, 0.40}},
	{twenty, [3]float64{0.45, 0.05, 0.50}},
	{twenty, [3]float64{0.30, 0.25, 0.45}},
	{twenty, [3]float64{0.20, 0.40, 0.40}},
	{twenty, [3]float64{0.30, 0.30, 0.40}},
	{twenty, [3]float64{0.25, 0.30, 0.45}},
	{twenty, [3]float64{0.25, 0.35, 0.40}},
}

// twenty tenants of each pattern.
var twenty = [3]int{20, 20, 20}

// spectrum is the levels of use over which a data centre's least, mean and most are taken.
var spectrum = []float64{0.25, 0.35, 0.45}

// means are the bounds of H's mean gain by scaling.
var means = map[string]float64{"linear": 0.12, "root": 0.05}

// place is a data centre at a level of use, with jobs.
type place struct {
	in      *inputs
	mix     mix
	scale   scaler
	level   float64
	servers int
	length  time.Duration
	job     float64       // core-seconds of a query on average
	name    string        // of its streams of chance
	rest    time.Duration // for which a run goes on after the last job came; 0: until all have ended
}

// trials are the systems' runs with all seeds: systems by seeds. What differs is the system alone: the data centre
// and its classes are made once.
func (p place) trials(systems []system, o *options) (trials []trial) {
	centres := make([]func() *centre, o.seeds)
	for i, seed := range o.all() {
		centres[i] = sync.OnceValue(func() *centre {
			return newCentre(p.in.tenants, p.mix, p.servers, p.level, p.scale, workload.Random(seed, "centre"+p.name))
		})
	}
	for _, s := range systems {
		for i, seed := range o.all() {
			begin := lead(workload.Random(seed, "lead"))
			trials = append(trials, trial{s, seed, begin + p.length, func() sim.Scenario {
				busy := centreLoad * float64(p.servers*cores)
				gap := time.Duration(p.job / busy * float64(time.Second))
				jobs := p.in.arrivals(busy, gap, begin, begin+2*p.length, workload.Random(seed, "jobs"))
				scenario := s.scenario(seed, centres[i](), from(workload.Random(seed, "from")), jobs)
				if p.rest > 0 {
					scenario.Until = begin + 2*p.length + p.rest
				}
				return scenario
			}})
		}
	}
	return trials
}

// compared are the systems of figures 13 and 14, in the order that their checks rely on.
var compared = []system{primaryAware, history, profiled, oracle, stock}

// figure14 is section 6.3: what history gains in each of ten data centres.
func figure14(ctx context.Context, o options) (*report.Report, error) {
	in, err := readInputs(o.files)
	if err != nil {
		return nil, err
	}
	servers, length := o.sized(centreServers, centreHours)
	levels, centres := spectrum, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	if o.quick {
		servers, length, levels, centres = min(servers, 50), time.Hour, levels[len(levels)-1:], tables.Some(true, centres, 4)
	}
	var trials []trial
	for _, dc := range centres {
		for _, scaling := range scalings {
			for _, level := range levels {
				p := place{in: &in, mix: mixes[dc], scale: scaling.make, level: level, servers: servers, length: length, job: centreJob, name: fmt.Sprint(dc)}
				trials = append(trials, p.trials(compared, &o)...)
			}
		}
	}
	all, err := outcomes(ctx, trials)
	if err != nil {
		return nil, err
	}
	r := &report.Report{Notes: []string{fmt.Sprintf("%d servers, %d seeds; gains in job time over PT at %v of use.", servers, o.seeds, levels), in.declared(), crowding}}
	for _, dc := range centres {
		for _, scaling := range scalings {
			gained, of := newGains(), make([][]outcome, len(compared))
			for range levels {
				var at [][]outcome
				for i := range compared {
					at, all = append(at, all[:o.seeds]), all[o.seeds:]
					of[i] = append(of[i], at[i]...)
				}
				gained.add(at)
			}
			name := fmt.Sprintf("DC-%d", dc)
			for i, s := range compared {
				cells := report.Row{{Key: "centre", Value: name}, {Key: "scaling", Value: scaling.name}, {Key: "system", Value: s.name}}
				r.Rows = append(r.Rows, row(append(cells, gained.cells(i)...), of[i]))
			}
			r.Checks = append(r.Checks, gained.checks(name+", "+scaling.name+": ", means[scaling.name])...)
		}
	}
	return r, nil
}

// gains are how much faster than PT's a system's jobs are, over levels of use.
type gains struct{ of [][]float64 } // by system

func newGains() *gains { return &gains{make([][]float64, len(compared))} }

func (g *gains) add(at [][]outcome) {
	base := over(at[0], jobSeconds)
	for i := range at {
		g.of[i] = append(g.of[i], 1-over(at[i], jobSeconds)/base)
	}
}

// span is the least, the mean and the most of a system.
func (g *gains) span(i int) (least, mean, most float64) {
	least, most = g.of[i][0], g.of[i][0]
	for _, v := range g.of[i] {
		least, most, mean = min(least, v), max(most, v), mean+v/float64(len(g.of[i]))
	}
	return least, mean, most
}

func (g *gains) cells(i int) report.Row {
	least, mean, most := g.span(i)
	return report.Row{{Key: "gain_least", Value: least}, {Key: "gain_mean", Value: mean}, {Key: "gain_most", Value: most}}
}

// checks returns the checks for a data centre. The paper's gains of H are known not to be reached: docs/papers.md says why.
func (g *gains) checks(at string, least float64) []report.Check {
	_, h, _ := g.span(1)
	_, plus, _ := g.span(2)
	_, most, _ := g.span(3)
	return []report.Check{
		report.AtLeast(at+"H's mean gain", h, least).Unreached(),
		report.AtLeast(at+"H+'s mean gain", plus, least).Unreached(),
		report.AtLeast(at+"H+'s mean gain less H's", plus-h, 0),
		report.AtLeast(at+"H+'s part of the way from PT to the oracle", plus/most, 0.5),
	}
}
