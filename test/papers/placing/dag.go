package placing

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lull/placer/predict"
	"lull/placer/search"
	"lull/test/public"
	"lull/test/report"
)

// Assumptions about the queries. The plans do not state task counts and times, and are for 30 TB of data.
const (
	queryScale = 1.0 / 30          // share of the planned data that is read here
	tableBytes = 128e6             // bytes that a task reads of a table
	queryBytes = 64e6              // bytes that a task reads of other stages
	queryTasks = 2 * asked * slots // the most tasks of a stage
	cpuRate    = 100e6             // bytes/s that a task processes on an idle core
	least      = 0.5               // overhead of each task, in seconds
)

// vertex is a stage of a query plan.
type vertex struct {
	query, name    string
	bytes, out     float64 // bytes that it reads of a table, and that it writes
	union          bool    // only joins the outputs of those that it reads; it becomes no stage
	reads          []int   // indices of the query's vertices that it reads
	broadcast      []bool  // for each of reads: every task reads the whole output
	stage, visited int     // index of its stage, -1 before it has one; 1 during visit, 2 after it
}

// dag places the plans of TPC-DS queries on the pool of figure 3.
func dag(ctx context.Context, o options) (*report.Report, error) {
	r := &report.Report{}
	plans, err := readPlans()
	if public.Absent(err) {
		r.Notes = append(r.Notes, fmt.Sprintf("Needs the TPC-DS plans in %s, and is left out: %v.", public.Folder(), err))
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	names := keys(plans)
	if o.Quick {
		names = names[:6]
	}
	apps := make([]*predict.Application, len(names))
	for i, name := range names {
		if apps[i], err = application(plans[name]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	all, err := solveAll(ctx, len(names), func(i int) (outcome, error) {
		return solve(search.Problem{App: apps[i], Snapshot: evaluation(), Hosts: asked, Fewer: true}, o.Seed, ourEvaluations)
	})
	if err != nil {
		return nil, err
	}
	slower := 0
	for i := range all {
		if all[i].ours > all[i].best()*(1+1e-9) {
			slower++
		}
	}
	for _, size := range []struct{ least, most int }{{0, 10}, {11, 20}, {21, 100}, {0, 100}} {
		var some []outcome
		for i := range all {
			if n := len(apps[i].Stages); n >= size.least && n <= size.most {
				some = append(some, all[i])
			}
		}
		if len(some) > 0 {
			r.Rows = append(r.Rows, summary("stages", fmt.Sprintf("%d–%d", size.least, size.most), some))
		}
	}
	r.Checks = append(r.Checks, report.AtMost("queries in which ours is slower than the best of the four", float64(slower), 0))
	r.Notes = append(r.Notes, "Plans of TPC-DS on Tez at 1/30 of 30 TB, on at most 80 of the 800 hosts of figure 3. Bytes are an optimizer's estimates; task counts and times are declared.")
	return r, nil
}

// Widest returns the query plan with the most stages. The error is that of reading the plans.
func Widest() (app *predict.Application, err error) {
	plans, err := readPlans()
	if err != nil {
		return nil, err
	}
	for _, name := range keys(plans) {
		a, err := application(plans[name])
		if err != nil {
			return nil, err
		}
		if app == nil || len(a.Stages) > len(app.Stages) {
			app = a
		}
	}
	return app, nil
}

func keys(plans map[string][]vertex) (names []string) {
	for name := range plans {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// readPlans reads the vertices and edges of each query's plan.
func readPlans() (map[string][]vertex, error) {
	plans := map[string][]vertex{}
	err := public.Rows("dag_tpcds30tb_hive_tez_vertices.csv.gz", func(f []string) error {
		v := vertex{query: f[0], name: f[1] + " " + f[2], union: f[3] == "union", out: number(f[8]), stage: -1}
		if f[3] == "map" {
			v.bytes = number(f[6])
		}
		plans[f[0]] = append(plans[f[0]], v)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return plans, public.Rows("dag_tpcds30tb_hive_tez_edges.csv.gz", func(f []string) error {
		plan := plans[f[0]]
		find := func(name string) int {
			return slices.IndexFunc(plan, func(v vertex) bool { return v.name == f[1]+" "+name })
		}
		from, to := find(f[2]), find(f[3])
		if from < 0 || to < 0 {
			return fmt.Errorf("%s: an edge from %s to %s, one of which is not there", f[0], f[2], f[3])
		}
		plan[to].reads = append(plan[to].reads, from)
		plan[to].broadcast = append(plan[to].broadcast, f[4] == "BROADCAST_EDGE")
		return nil
	})
}

// number returns a size from the files, scaled by queryScale; 0 if there is none.
func number(text string) float64 {
	if v := public.Number(text); v > 0 {
		return v * queryScale
	}
	return 0
}

// application makes stages of a plan's vertices. A vertex comes after those that it reads.
func application(plan []vertex) (*predict.Application, error) {
	app := &predict.Application{}
	for i := range plan {
		if err := visit(app, plan, i); err != nil {
			return nil, err
		}
	}
	return app, nil
}

// visit adds the stages of a vertex and, before it, of those that it reads. A union becomes no stage: its
// readers read directly from the vertices that it joins.
func visit(app *predict.Application, plan []vertex, i int) error {
	v := &plan[i]
	if v.visited == 2 || v.stage >= 0 {
		return nil
	}
	if v.visited == 1 {
		return fmt.Errorf("%s reads itself", v.name)
	}
	v.visited = 1
	s, read := predict.Stage{}, v.bytes
	for k, at := range v.reads {
		if err := visit(app, plan, at); err != nil {
			return err
		}
		for _, of := range sources(plan, at) {
			kind := predict.Part
			if v.broadcast[k] {
				kind = predict.All
			} else {
				read += plan[of].out
			}
			if !slices.ContainsFunc(s.From, func(f predict.From) bool { return f.Stage == plan[of].stage }) {
				s.From = append(s.From, predict.From{Stage: plan[of].stage, Kind: kind})
			}
		}
	}
	if v.visited = 2; v.union {
		return nil
	}
	each := queryBytes
	if v.bytes > 0 {
		each = tableBytes
	}
	s.Tasks = int(min(max(math.Ceil(read/each), 1), queryTasks))
	s.Input, s.Gives = v.bytes/float64(s.Tasks), v.out/max(read, 1)
	s.Curve, s.Overhead = flat(max(read/float64(s.Tasks)/cpuRate, 0.01)), least
	v.stage = len(app.Stages)
	app.Stages = append(app.Stages, s)
	return nil
}

// sources returns a vertex itself if it has tasks. For a union it returns the vertices with tasks that it
// joins.
func sources(plan []vertex, at int) (all []int) {
	if !plan[at].union {
		return []int{at}
	}
	for _, of := range plan[at].reads {
		all = append(all, sources(plan, of)...)
	}
	return all
}
