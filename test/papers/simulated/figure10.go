package simulated

import (
	"context"
	"fmt"
	"time"

	"lull/admission"
	"lull/sim"
	"lull/slotter"
	"lull/slotter/datanode"
	"lull/subjects"
	"lull/test/papers/truth"
	"lull/test/papers/workload"
	"lull/test/report"
	"lull/test/tables"
)

const (
	// reads is what a grep task on an idle core reads, in bytes/s, a third of it from each data
	// node. node is what a data node gives: seven and a half tasks' part. So three dedicated nodes
	// with their six slots do not saturate it, and the first shared node does.
	reads = 24 << 20
	node  = 60 << 20
	// unlimited is a capacity that no reader reaches: rule (iii) never skips.
	unlimited = 1e11
)

// dataNodes are the three dedicated nodes that hold the input.
var dataNodes = []string{"data-1", "data-2", "data-3"}

// extras are how many shared nodes are added.
var extras = []int{0, 1, 2, 3, 4, 6, 8, 10}

// figure10 adds shared nodes to three dedicated ones that also hold the data:
// each job alone, and both together without and with rule (iii).
func figure10(ctx context.Context, o options) (*report.Report, error) {
	var variants []variant
	for _, n := range tables.Some(o.Quick, extras, 0, len(extras)-1) {
		for _, w := range []struct {
			name   string
			jobs   []string
			rule   bool
			policy string
		}{
			{"mp, pi", []string{"pi"}, true, "mp"}, {"mp, grep", []string{"grep-search"}, true, "mp"},
			{"mp, both, no rule iii", []string{"grep-search", "pi"}, false, "mp"}, {"mp, both", []string{"grep-search", "pi"}, true, "mp"},
			{"mp+, both", []string{"grep-search", "pi"}, true, "mp+"},
		} {
			if len(o.among(w.policy)) == 1 {
				variants = append(variants, variant{label("shared_nodes", n), w.name, func(seed uint64) (sim.Scenario, error) {
					return saturation(w.policy, w.jobs, n, w.rule, seed)
				}})
			}
		}
	}
	b, err := sweep(ctx, o, variants, func(s *sim.Scenario, r *sim.Result) ([]value, error) {
		values := []value{{"mct_s", r.End.Seconds()}, {"total_tct_s", outcomeOf(s, r).tct * 3600}}
		if len(r.Jobs) == 2 {
			values = append(values, value{"mct_s pi", r.Jobs[1].Ended.Seconds()})
		}
		return values, nil
	})
	if err != nil {
		return nil, err
	}
	return &report.Report{Rows: append(b.rows(), normalised(b)...), Checks: figure10Checks(b), Notes: []string{
		"mct_norm: the map phase's time over that without shared nodes. The paper: pi scales as it should, grep stops when the data nodes are saturated.",
	}}, nil
}

func saturation(policy string, jobs []string, shared int, rule bool, seed uint64) (sim.Scenario, error) {
	types := truth.Declared()
	s := sim.Scenario{Seed: seed, Types: types, Admission: admission.Config{Mode: subjects.ModeAll}, Slotter: slotter.Config{Policy: policy}}
	for _, name := range dataNodes {
		s.DataNodes = append(s.DataNodes, sim.DataNode{Name: name, Capacity: node})
		known := float64(node)
		if !rule {
			known = unlimited
		}
		s.Slotter.DataNodes = append(s.Slotter.DataNodes, datanode.Config{Name: name, Capacity: known})
	}
	for i, name := range jobs {
		stream := workload.Stream{Type: name, Tasks: 300}
		if name == "grep-search" {
			stream.Bytes, stream.Sources = 14*reads, dataNodes
		}
		s.Jobs = append(s.Jobs, stream.Submit(time.Duration(i)*time.Second))
	}
	var err error
	if s.Models, err = truth.Train(types, workload.Random(seed, "training")); err != nil {
		return s, err
	}
	for i := range types {
		if types[i].Type == "grep-search" {
			types[i].Read, s.Models[i].Read90 = reads, reads
		}
	}
	s.Hosts = workload.Hosts([]workload.Class{{Name: "data", Hosts: 3, Cores: 2}, {Name: "shared", Hosts: shared, Cores: 2, Low: 0.35, High: 0.35}}, workload.Random(seed, "loads"))
	return s, nil
}

// normalised are the mean times over those without shared nodes.
func normalised(b *book) (rows []report.Row) {
	base := b.boards[0]
	for _, page := range b.boards {
		for _, p := range []string{"mp, pi", "mp, grep"} {
			if e, whole := page.mean(p, "mct_s"), base.mean(p, "mct_s").Mean; whole > 0 {
				e.Mean, e.Low, e.High = e.Mean/whole, e.Low/whole, e.High/whole
				rows = append(rows, page.row(p, "mct_norm", e))
			}
		}
	}
	return rows
}

func figure10Checks(b *book) []report.Check {
	base, last := b.boards[0], b.boards[len(b.boards)-1]
	speedup := func(p string) float64 { return base.mean(p, "mct_s").Mean / last.mean(p, "mct_s").Mean }
	with, without := last.mean("mp, both", "total_tct_s").Mean, last.mean("mp, both, no rule iii", "total_tct_s").Mean
	ideal := (6 + 20*0.825) / 6.0
	return []report.Check{
		report.AtLeast(fmt.Sprintf("pi's speed-up by ten shared nodes (all slots' residuals would give %.2f)", ideal), speedup("mp, pi"), 0.85*ideal),
		report.AtMost("grep's speed-up by ten shared nodes", speedup("mp, grep"), 2),
		report.AtMost("total TCT of both with rule iii over without", with/without, 1),
	}
}
