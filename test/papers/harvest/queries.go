package harvest

import (
	"cmp"
	"fmt"

	"math/rand/v2"
	"slices"
	"time"

	"lull/sim"

	"lull/test/public"
)

// vertex is a stage of a query.
type vertex struct {
	name  string
	table bool // it reads tables
	union bool // it only joins its inputs, and has no tasks
	bytes float64
	reads []int // earlier vertices
	width float64
}

// query is a DAG of vertices. Each stands behind the vertices that it reads.
type query struct {
	name     string
	vertices []vertex
}

// readQueries reads the DAGs, by name, and gives their vertices tasks.
func readQueries(dags string) ([]query, error) {
	byName := map[string]*query{}
	err := public.Rows(dags+"_vertices.csv.gz", func(f []string) error {
		q := byName[f[0]]
		if q == nil {
			q = &query{name: f[0]}
			byName[f[0]] = q
		}
		v := vertex{name: f[1] + " " + f[2], table: f[3] == "map", union: f[3] == "union"}
		if v.table {
			v.bytes = public.Number(f[6])
		}
		q.vertices = append(q.vertices, v)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := readEdges(dags, byName); err != nil {
		return nil, err
	}
	var all []query
	for _, q := range byName {
		if err := q.order(); err != nil {
			return nil, err
		}
		all = append(all, *q)
	}
	slices.SortFunc(all, func(a, b query) int { return cmp.Compare(a.name, b.name) })
	size(all)
	return all, nil
}

// readEdges notes what vertices read. What is no table's has the bytes that it reads.
func readEdges(dags string, byName map[string]*query) error {
	outputs, err := readOutputs(dags)
	if err != nil {
		return err
	}
	return public.Rows(dags+"_edges.csv.gz", func(f []string) error {
		q := byName[f[0]]
		if q == nil {
			return fmt.Errorf("an edge is of %s, which has no vertices", f[0])
		}
		from, to := q.at(f[1]+" "+f[2]), q.at(f[1]+" "+f[3])
		if to < 0 || from < 0 {
			return fmt.Errorf("%s: the edge from %q to %q names a vertex that is not there", q.name, f[2], f[3])
		}
		v := &q.vertices[to]
		if v.reads = append(v.reads, from); !v.table {
			v.bytes += outputs[q.name+" "+q.vertices[from].name]
		}
		return nil
	})
}

// readOutputs reads the bytes that each vertex gives.
func readOutputs(dags string) (map[string]float64, error) {
	outputs := map[string]float64{}
	return outputs, public.Rows(dags+"_vertices.csv.gz", func(f []string) error {
		outputs[f[0]+" "+f[1]+" "+f[2]] = public.Number(f[8])
		return nil
	})
}

func (q *query) at(name string) int {
	return slices.IndexFunc(q.vertices, func(v vertex) bool { return v.name == name })
}

// order puts vertices behind those that they read.
func (q *query) order() error {
	place := make([]int, len(q.vertices))
	var sorted []vertex
	for len(sorted) < len(q.vertices) {
		before := len(sorted)
		for i, v := range q.vertices {
			if place[i] == 0 && !slices.ContainsFunc(v.reads, func(r int) bool { return place[r] == 0 }) {
				sorted = append(sorted, v)
				place[i] = len(sorted)
			}
		}
		if len(sorted) == before {
			return fmt.Errorf("%s: its vertices read each other in a circle", q.name)
		}
	}
	for i := range sorted {
		for k, r := range sorted[i].reads {
			sorted[i].reads[k] = place[r] - 1
		}
	}
	q.vertices = sorted
	return nil
}

// inputs are the public traces.
type inputs struct {
	tenants []tenant
	queries []query
	ratio   float64 // see readRatio
}

// files are names of public traces, or paths of others in their form.
type files struct {
	history, usage string // the month that is learnt, and the next
	dags           string // what the files of vertices and edges begin with
	stages         string // the same of the measured stages
	reference      string // patterns, "" for those that the classifier finds
}

// publicFiles are the files from which the tables are made.
var publicFiles = files{
	history: "cpu_bitbrains_rnd_2013-07.csv.gz", usage: "cpu_bitbrains_rnd_2013-08.csv.gz",
	dags: "dag_tpcds30tb_hive_tez", stages: "dag_tpch_spark",
}

func readInputs(f files) (in inputs, err error) {
	if in.tenants, err = readTenants(f); err != nil {
		return in, err
	}
	if in.queries, err = readQueries(f.dags); err != nil {
		return in, err
	}
	in.ratio, err = readRatio(f.stages)
	return in, err
}

// arrivals returns the queries in random order, again and again, between two times, as a Poisson process.
// On average they keep busy cores busy.
func (in *inputs) arrivals(busy float64, gap, begin, end time.Duration, rng *rand.Rand) (jobs []sim.Job) {
	total := 0.0
	for i := range in.queries {
		total += in.queries[i].work(in.ratio)
	}
	seconds := busy * gap.Seconds() * float64(len(in.queries)) / total
	var order []int
	for at := begin; ; {
		at += time.Duration(rng.ExpFloat64() * float64(gap))
		if at > end {
			return jobs
		}
		if len(order) == 0 {
			order = rng.Perm(len(in.queries))
		}
		jobs = append(jobs, sim.Job{At: at, Spec: in.queries[order[0]].job(seconds, in.ratio)})
		order = order[1:]
	}
}

// declared describes what was made of the traces.
func (in *inputs) declared() string {
	return fmt.Sprintf("%d machines, %d queries. A task that reads tables takes %.0f times as long as another.", len(in.tenants), len(in.queries), in.ratio)
}
