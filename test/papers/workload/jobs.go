package workload

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"lull/sim"
	"lull/subjects/spec"
)

// Stream is the jobs of one type that arrive over a trace's length.
type Stream struct {
	Type  string
	Jobs  int
	Tasks uint32 // of a job
	// Deadline counts from submission. 0 is none.
	Deadline time.Duration
	// Bytes a task reads, from Sources.
	Bytes   int64
	Sources []string
}

// Jobs draws the jobs of streams over a length of time. Arrivals are a Poisson
// process per stream, given how many there were: then each arrival is uniform
// and independent of the others. Fixing the number keeps the work of two seeds
// comparable.
func Jobs(streams []Stream, length, patience time.Duration, rng *rand.Rand) []sim.Job {
	var jobs []sim.Job
	for _, s := range streams {
		for range s.Jobs {
			at := time.Duration(rng.Int64N(int64(length)))
			jobs = append(jobs, sim.Job{At: at, Spec: s.spec()})
		}
	}
	slices.SortStableFunc(jobs, func(a, b sim.Job) int { return cmp.Compare(a.At, b.At) })
	for i := range jobs {
		jobs[i].Spec.Name = fmt.Sprintf("%s-%d", jobs[i].Spec.Type, i)
		if jobs[i].Spec.DeadlineIn > 0 {
			jobs[i].Patience = patience
		}
	}
	return jobs
}

// Submit is one job of a stream at a time.
func (s Stream) Submit(at time.Duration) sim.Job {
	job := sim.Job{At: at, Spec: s.spec()}
	job.Spec.Name = s.Type
	return job
}

func (s Stream) spec() spec.Job {
	return spec.Job{
		Type: s.Type, DeadlineIn: s.Deadline,
		Stages: []spec.Stage{{
			Name: "map", Argv: []string{"true"}, Tasks: s.Tasks, CPU: 1, Memory: 256 << 20,
			Bytes: s.Bytes, Sources: s.Sources,
		}},
	}
}
