package placing

import (
	"context"
	"fmt"
	"math"

	"lull/placer/bound"
	"lull/placer/predict"
	"lull/placer/search"
	"lull/test/papers/twin"
	"lull/test/report"
)

const (
	// paperEvaluations is 45 s of the paper's predictions of 0.96 s.
	paperEvaluations = 47
	// budget of our search: well above what it needs, and below 100 ms of a core.
	ourEvaluations = 800
)

// chosen is a set of hosts and what became of it.
type chosen struct {
	name    string
	hosts   []int
	seconds float64
}

// choices asks the four policies and both searches.
func choices(p search.Problem, seed uint64, genetic ...int) ([]chosen, error) {
	baselines, err := p.Baselines()
	if err != nil {
		return nil, err
	}
	var all []chosen
	for _, b := range baselines {
		all = append(all, chosen{b.Name, b.Hosts, b.Result.Seconds})
	}
	for _, n := range genetic {
		a, err := search.Genetic(p, search.GeneticOptions{Seed: seed, Evaluations: n})
		if err != nil {
			return nil, err
		}
		all = append(all, chosen{fmt.Sprintf("GA %d", n), a.Hosts, a.Result.Seconds})
	}
	a, err := search.Solve(p, search.Options{Seed: seed, Evaluations: ourEvaluations})
	return append(all, chosen{"ours", a.Hosts, a.Result.Seconds}), err
}

// placement is a job of figure 3.
type placement struct {
	name              string
	app               *predict.Application
	best, worst       float64 // least gains in per cent; 0 for no check
	paperBest, paperW float64
	simulated         bool // lull's documents can say it
}

// figure3 compares the policies on the paper's two applications, and the predictor with the simulator and the twin.
func figure3(ctx context.Context, o options) (*report.Report, error) {
	r := &report.Report{Notes: []string{
		"bound: the exact optimum between equal hosts. sim_s: lull's slotter and agents in virtual time, held to the hosts by job.placed. twin_s: the predictor's rules with every request played by itself.",
		"error_% is the predictor's against sim, off_% against the twin. A document cannot ask for copies of an output, so the simulator does not run Sort with replicas.",
	}}
	for _, job := range []placement{
		{"sort", sorted(), 25, 45, 25, 59, true},
		{"sort, 3 replicas", replicated(), 0, 0, 0, 0, false},
		{"analytics", analytics(), 8, 35, 8, 41, true},
	} {
		if o.Quick && job.best == 0 {
			continue
		}
		if err := job.compare(ctx, o, r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// compare adds the rows and checks of a job.
func (job *placement) compare(ctx context.Context, o options, r *report.Report) error {
	p := Sorting()
	p.App = job.app
	all, err := choices(p, o.Seed, some(o.Quick, paperEvaluations, 10_000)...)
	if err != nil {
		return err
	}
	ours := all[len(all)-1].seconds
	best, worst := math.Inf(1), 0.0
	for _, c := range all[:4] {
		best, worst = min(best, c.seconds), max(worst, c.seconds)
	}
	optimum, counts, exact := bound.Equal(p.App, p.Snapshot, p.Hosts)
	if exact {
		all = append(all, chosen{"bound", take(p.Snapshot, counts), optimum})
	} else {
		optimum = bound.Least(p.App, p.Snapshot, p.Hosts, false)
	}
	if err := job.judge(ctx, o, r, p.Snapshot, all, optimum); err != nil {
		return err
	}
	if !exact {
		r.Rows = append(r.Rows, row("job", job.name, "policy", "bound", "predicted_s", optimum, "above_bound_%", 0))
	}
	if job.best > 0 {
		r.Checks = append(r.Checks,
			report.AtLeast(job.name+": ours below the best of the four, %", 100*(1-ours/best), job.best).WithPaper(job.paperBest),
			report.AtLeast(job.name+": ours below the worst of the four, %", 100*(1-ours/worst), job.worst).WithPaper(job.paperW))
	}
	if exact {
		r.Checks = append(r.Checks, report.AtMost(job.name+": ours above the optimum, %", 100*(ours/optimum-1), 2))
	}
	return nil
}

// judge adds a row a choice, with what the simulator and the twin say of it. A quick run simulates Sort on our
// hosts alone.
func (job *placement) judge(ctx context.Context, o options, r *report.Report, s *predict.Snapshot, all []chosen, optimum float64) error {
	errors := map[string]float64{}
	judged := func(name, column string, c chosen, truth float64) report.Row {
		errors[name] = max(errors[name], math.Abs(c.seconds/truth-1))
		return row(name+"_s", truth, column, 100*(c.seconds/truth-1))
	}
	for _, c := range all {
		cells := row("job", job.name, "policy", c.name, "predicted_s", c.seconds, "above_bound_%", 100*(c.seconds/optimum-1), "hosts_by_uplink", byUplink(s, c.hosts))
		if job.simulated && (!o.Quick || c.name == "ours" && job.name == "sort") {
			truth, err := simulate(ctx, job.app, s, c.hosts)
			if err != nil {
				return err
			}
			cells = append(cells, judged("sim", "error_%", c, truth)...)
		}
		if !o.Quick {
			cells = append(cells, judged("twin", "off_%", c, twin.Seconds(job.app, s, c.hosts))...)
		}
		r.Rows = append(r.Rows, cells)
	}
	for _, name := range []string{"sim", "twin"} {
		if off, known := errors[name]; known {
			r.Checks = append(r.Checks, report.AtMost(fmt.Sprintf("%s: predictor against %s, largest error, %%", job.name, name), 100*off, 10))
		}
	}
	return nil
}

// take is the first hosts of each rack, so many of each.
func take(s *predict.Snapshot, counts []int) (hosts []int) {
	taken := make([]int, len(counts))
	for h := range s.Hosts {
		if r := s.Tree.Hosts[h].Rack; taken[r] < counts[r] {
			taken[r]++
			hosts = append(hosts, h)
		}
	}
	return hosts
}

// byUplink is how many hosts were chosen behind uplinks of 800, 700 … 200 Mbit/s.
func byUplink(s *predict.Snapshot, hosts []int) string {
	var by [7]int
	for _, h := range hosts {
		by[8-int(s.Tree.Racks[s.Tree.Hosts[h].Rack].Up/100/megabit+0.5)]++
	}
	return fmt.Sprint(by)
}

// some is all values, but only the first in a quick run.
func some[T any](quick bool, values ...T) []T {
	if quick {
		return values[:1]
	}
	return values
}
