package pacing

import (
	"iter"
	"math"

	"lull/slotter/queues"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/tct"
)

// Pool is what a Pacer sees of the slotter, and asks of it.
type Pool interface {
	// State is the ledger, to read.
	State() *ledger.State
	// Queues are the queues with live jobs. The Pacer keeps their accounts of reads.
	Queues() *queues.Set
	// Settle brings Cores and Running up to date.
	Settle()
	// Cores is the number of cores that the pool has idle.
	Cores() float64
	// Jobs yields the jobs that may have tasks, by submission.
	Jobs() iter.Seq[*Job]
	// JobOf is the job of a ledger's job, nil if it is not among Jobs.
	JobOf(life *ledger.Job) *Job
	// Running yields the attempts that hold their tasks and have a slot.
	Running() iter.Seq2[*Job, *ledger.Attempt]
	// DecideAt has the pool decide again at a time.
	DecideAt(at int64)
}

// Job is what a Pacer keeps of a job beside the ledger. Make it with NewJob.
type Job struct {
	Life   *ledger.Job
	Queue  *queues.Queue
	Due    int64 // deadline, None for none
	Stages []Stage
	target target
}

// Stage is what a Pacer keeps of a stage.
type Stage struct {
	Curve  *tct.Curve // of its tasks' times
	Spared uint64     // attempts up to which none is slowed, 0 for none: see Config.Spare
}

// None is the deadline of a job without one.
const None = int64(math.MaxInt64)

// NewJob returns a job that has not been paced yet. The caller sets the curves of its stages.
func NewJob(life *ledger.Job, queue *queues.Queue, due int64) *Job {
	return &Job{Life: life, Queue: queue, Due: due, Stages: make([]Stage, len(life.Stages))}
}

// target is what each of a job's tasks should read, stage by stage.
type target struct {
	rates   []subjects.Rate // of the stages that run: 0 for as fast as they may
	share   float64         // of the pool's capacity
	why     string
	forJobs []string // the jobs because of which the rate is no higher
}
