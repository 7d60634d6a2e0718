package placing

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"

	"golang.org/x/sync/errgroup"

	"lull/placer/bound"
	"lull/placer/policy"
	"lull/placer/predict"
	"lull/placer/search"
	"lull/placer/topology"
	"lull/test/report"
	"lull/test/stat"
)

// instances is how many pools and jobs are drawn.
const instances = 500

// outcome is the answer to a question.
type outcome struct {
	baselines   []float64 // predicted seconds, in the order of policy.All
	ours, bound float64
}

// solve asks the four policies, our search and the bound.
func solve(p search.Problem, seed uint64, evaluations int) (o outcome, err error) {
	baselines, err := p.Baselines()
	if err != nil {
		return o, err
	}
	for _, b := range baselines {
		o.baselines = append(o.baselines, b.Result.Seconds)
	}
	a, err := search.Solve(p, search.Options{Seed: seed, Evaluations: evaluations})
	o.ours, o.bound = a.Result.Seconds, bound.Least(p.App, p.Snapshot, p.Hosts, false)
	return o, err
}

// solveAll answers so many questions on all cores, in their order.
func solveAll(ctx context.Context, n int, ask func(i int) (outcome, error)) ([]outcome, error) {
	all := make([]outcome, n)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() (err error) {
			if err = ctx.Err(); err == nil {
				all[i], err = ask(i)
			}
			return err
		})
	}
	return all, group.Wait()
}

// best and worst of the four policies.
func (o *outcome) best() (seconds float64) {
	seconds = math.Inf(1)
	for _, b := range o.baselines {
		seconds = min(seconds, b)
	}
	return seconds
}

// random draws pools and jobs, and compares our search with the bound and with the best of the four policies.
func random(ctx context.Context, o options) (*report.Report, error) {
	n := instances
	if o.Quick {
		n = 25
	}
	sizes := make([]string, n)
	all, err := solveAll(ctx, n, func(i int) (outcome, error) {
		p := drawn(rand.New(rand.NewPCG(o.Seed+uint64(i), 0)))
		sizes[i] = "2–10"
		if racks := len(p.Snapshot.Tree.Racks); racks > 20 {
			sizes[i] = "21–40"
		} else if racks > 10 {
			sizes[i] = "11–20"
		}
		return solve(p, o.Seed, ourEvaluations)
	})
	if err != nil {
		return nil, err
	}
	r := &report.Report{Notes: []string{
		"2–40 racks of 2–20 hosts, uplinks of 100–1000 Mbit/s, NICs of 1 or 10 Gbit/s with primaries' traffic, hosts with 0.3–2 idle cores for 2 slots, 2–6 stages of 1–300 tasks; a third of the hosts is asked for.",
		"Each row is by the predictor. The bound lets each stage have other hosts, so the gap is what is not proven, not what is lost.",
	}}
	for _, size := range []string{"2–10", "11–20", "21–40", "all"} {
		var some []outcome
		for i := range all {
			if size == "all" || sizes[i] == size {
				some = append(some, all[i])
			}
		}
		if len(some) > 0 {
			r.Rows = append(r.Rows, summary("racks", size, some))
		}
	}
	slower := 0
	for i := range all {
		if all[i].ours > all[i].best()*(1+1e-9) {
			slower++
		}
	}
	r.Checks = append(r.Checks, report.AtMost("instances in which ours is slower than the best of the four", float64(slower), 0))
	return r, nil
}

// summary is a row about several outcomes.
func summary(key, value string, all []outcome) report.Row {
	var gap, gain, worst []float64
	wins := make([]int, len(policy.All))
	for i := range all {
		o := &all[i]
		gap = append(gap, 100*(o.ours/o.bound-1))
		gain = append(gain, 100*(1-o.ours/o.best()))
		most := 0.0
		for k, b := range o.baselines {
			most = max(most, b)
			if b <= o.best()*(1+1e-9) {
				wins[k]++
			}
		}
		worst = append(worst, 100*(1-o.ours/most))
	}
	cells := row(key, value, "instances", len(all), "above_bound_%", stat.Mean(gap).Mean, "median_%", stat.Median(gap), "worst_%", most(gap),
		"below_best_%", stat.Mean(gain).Mean, "below_worst_%", stat.Mean(worst).Mean)
	for k, rule := range policy.All {
		cells = append(cells, report.Cell{Key: rule.Name + "_best", Value: fmt.Sprintf("%d", wins[k])})
	}
	return cells
}

func most(values []float64) (largest float64) {
	for _, v := range values {
		largest = max(largest, v)
	}
	return largest
}

// drawn is a pool with primaries and a job.
func drawn(rng *rand.Rand) search.Problem {
	tree := &topology.Tree{}
	s := &predict.Snapshot{}
	var traffic []topology.Traffic
	for r := range 2 + rng.IntN(39) {
		tree.Racks = append(tree.Racks, topology.Rack{Name: fmt.Sprintf("rack%02d", r), Up: between(rng, 100, 1000) * megabit, Down: between(rng, 100, 1000) * megabit})
		for h := range 2 + rng.IntN(19) {
			nic := 1000 * megabit
			if rng.IntN(4) == 0 {
				nic *= 10
			}
			tree.Hosts = append(tree.Hosts, topology.Host{Name: fmt.Sprintf("r%02dh%02d", r, h), Rack: r, Out: nic, In: nic, Disk: between(rng, 50, 400) * 1e6})
			s.Hosts = append(s.Hosts, predict.Host{Slots: slots, Busy: rng.IntN(2), Idle: between(rng, 0.3, slots)})
			traffic = append(traffic, topology.Traffic{Out: between(rng, 0, 20) * megabit, In: between(rng, 0, 20) * megabit})
		}
	}
	s.Tree = tree.WithTraffic(traffic)
	return search.Problem{App: drawnJob(rng), Snapshot: s, Hosts: max(2, len(s.Hosts)/3)}
}

func between(rng *rand.Rand, least, most float64) float64 { return least + (most-least)*rng.Float64() }

// drawnJob is a DAG in which each stage reads at least one before it.
func drawnJob(rng *rand.Rand) *predict.Application {
	app := &predict.Application{}
	for i := range 2 + rng.IntN(5) {
		stage := predict.Stage{Tasks: 1 + rng.IntN(300), Gives: between(rng, 0.05, 1.2), Curve: flat(between(rng, 1, 20)), Overhead: 0.5}
		for j := range i {
			if j == i-1 && len(stage.From) == 0 || rng.IntN(3) == 0 {
				stage.From = append(stage.From, predict.From{Stage: j})
			}
		}
		if i == 0 {
			stage.Tasks, stage.Input = 50+rng.IntN(250), between(rng, 16, 256)*1e6
		}
		app.Stages = append(app.Stages, stage)
	}
	return app
}
