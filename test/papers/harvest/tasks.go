package harvest

import (
	"fmt"
	"math"
	"slices"
	"time"

	"lull/subjects/spec"
	"lull/test/public"
)

// The rule that makes tasks of TPC-DS queries, of which only the shapes and the planner's bytes are
// public: a vertex has a task for each block of its input, most at most. The block is such that
// nine of ten queries are no wider than the paper's query 19, which runs 469 containers at once.
// Tasks of vertices that read tables take one time, all others another, in the proportion that the
// measured stages of TPC-H have at 500 GB. What a query takes in all follows from the stated load.
const (
	widest = 469
	most   = 1009 // reducers that Hive starts at most
)

// size gives vertices their tasks.
func size(all []query) {
	low, high := 1e6, 1e15
	for range 60 {
		block := math.Sqrt(low * high)
		var widths []float64
		for i := range all {
			widths = append(widths, all[i].divide(block))
		}
		slices.Sort(widths)
		if widths[len(widths)*9/10] > widest {
			low = block
		} else {
			high = block
		}
	}
}

// divide gives vertices their tasks and returns those of the widest level, counted from the tables.
func (q *query) divide(block float64) float64 {
	levels, depth, widest := map[int]float64{}, make([]int, len(q.vertices)), 0.0
	for i := range q.vertices {
		v := &q.vertices[i]
		for _, r := range v.reads {
			depth[i] = max(depth[i], depth[r]+1)
		}
		v.width = min(max(math.Ceil(v.bytes/block), 1), most)
		if !v.union {
			levels[depth[i]] += v.width
			widest = max(widest, levels[depth[i]])
		}
	}
	return widest
}

// readRatio reads how much longer a task that reads tables takes than another.
func readRatio(stages string) (float64, error) {
	later := map[string]bool{}
	err := public.Rows(stages+"_edges.csv.gz", func(f []string) error {
		later[f[0]+" "+f[2]] = true
		return nil
	})
	if err != nil {
		return 0, err
	}
	var times [2][]float64
	err = public.Rows(stages+"_stage_profiles.csv.gz", func(f []string) error {
		if f[1] == "500" && f[2] == "100" {
			kind := 0
			if later[f[0]+" Stage"+f[3]] {
				kind = 1
			}
			times[kind] = append(times[kind], public.Number(f[5]))
		}
		return nil
	})
	slices.Sort(times[0])
	slices.Sort(times[1])
	if err != nil || len(times[0])*len(times[1]) == 0 {
		return 0, err
	}
	return times[0][len(times[0])/2] / times[1][len(times[1])/2], nil
}

// work is what the query takes on idle cores if a task that reads tables takes a second.
func (q *query) work(ratio float64) (seconds float64) {
	for _, v := range q.vertices {
		seconds += v.seconds(ratio)
	}
	return seconds
}

func (v *vertex) seconds(ratio float64) float64 {
	switch {
	case v.union:
		return 0
	case v.table:
		return v.width
	}
	return v.width / ratio
}

// job is the query as a job of lull. A task that reads tables takes so many seconds.
func (q *query) job(seconds, ratio float64) spec.Job {
	j := spec.Job{Name: q.name, Type: q.name}
	stage := make([][]uint32, len(q.vertices)) // what a reader of the vertex comes after
	for i, v := range q.vertices {
		var after []uint32
		for _, r := range v.reads {
			after = append(after, stage[r]...)
		}
		slices.Sort(after)
		if after = slices.Compact(after); v.union {
			stage[i] = after
			continue
		}
		stage[i] = []uint32{uint32(len(j.Stages))}
		took := time.Duration(seconds * v.seconds(ratio) / v.width * float64(time.Second))
		j.Stages = append(j.Stages, spec.Stage{
			Name: fmt.Sprintf("v%d", i), Tasks: uint32(v.width), After: after, CPU: 1, Memory: 2 << 30,
			Estimate: took,
		})
	}
	return j
}
