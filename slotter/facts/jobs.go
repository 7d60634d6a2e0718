package facts

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"

	"lull/slotter/pacing"
	"lull/slotter/queues"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// Job is what the slotter keeps of a live job beside the ledger.
type Job struct {
	Life   *ledger.Job
	Queue  *queues.Queue
	Due    int64 // its deadline, the end of time for none
	Stages []Stage
	Gone   bool // it has ended
	// Kind is where it waits in the backlog as long as none of its tasks was tried, and nil after that. Only
	// the backlog knows its type.
	Kind any
	// Rate is what its attempts complete: a sum over them all, kept up to date host
	// by host. It is a whole number, so that it does not depend on the order in
	// which it was summed.
	Rate Rate

	// Served is when it was last given a slot, or opened.
	Served int64
	// Asked is the last round in which a placed job had a task that waits, and since when it has had one in
	// each round.
	Asked struct {
		Round uint64
		Since int64
	}
	// later is the time in seconds that the stages which are not ready yet will take. done and supply
	// tell whether it still holds: the number of complete stages (-1: not computed) and the version of
	// the supply when it was computed.
	later  float64
	done   int
	supply uint64

	Unmet queues.Unmet // its claim to slots, for its deadline

	// Of the current round.
	Admitted  bool // its queue's limit allows it tasks
	Planned   Rate
	Remaining int // tasks of stages that are ready
	Works     []*Work
	Round     uint64 // of which Rivals is
	Rivals    int    // second attempts of its tasks
	Yields    Rate   // of attempts that are to end for others

	Pace *pacing.Job
}

// Waits reports whether it waits in the backlog: none of its tasks was tried.
func (j *Job) Waits() bool { return j.Kind != nil }

// Stage is what decides where a stage's tasks wait.
type Stage struct {
	Curve *tct.Curve
	Group *Group
	Probe *probe  // nil if its model has been fitted
	Slow  float64 // its model's ninetieth percentile of the time over that predicted, 0 if unknown
	// Contested is the round that looks for its stragglers.
	Contested uint64
	// flights counts its attempts that run, by range of residual, as long as
	// its model is explored.
	flights [probeBins]int
}

// Rate is a number of tasks in 2^28 seconds.
type Rate int64

// RateUnit is a rate of one task a second.
const RateUnit = 1 << 28

// RateOf returns the rate of one slot with a residual.
func RateOf(c *tct.Curve, residual float64) Rate { return RateAt(c, tct.Step(residual)) }

// RateAt returns the rate of one slot at a step of residual.
func RateAt(c *tct.Curve, step int) Rate { return Rate(RateUnit / c.At(step)) }

// Never is the deadline of a job without one.
const Never = math.MaxInt64

// Jobs are the live jobs.
type Jobs struct {
	Of         map[*ledger.Job]*Job
	BySeq      []*Job            // by submission
	ByDeadline []*Job            // by deadline, then submission
	ofModel    map[string][]*Job // by the models of its stages, then submission
}

func newJobs() Jobs { return Jobs{Of: map[*ledger.Job]*Job{}, ofModel: map[string][]*Job{}} }

// SubmittedFirst orders jobs by submission.
func SubmittedFirst(a, b *Job) int { return cmp.Compare(a.Life.Seq, b.Life.Seq) }

func urgentFirst(a, b *Job) int {
	return cmp.Or(cmp.Compare(a.Due, b.Due), SubmittedFirst(a, b))
}

func (s *Jobs) add(j *Job) {
	s.Of[j.Life] = j
	s.BySeq = insert(s.BySeq, j, SubmittedFirst)
	s.ByDeadline = insert(s.ByDeadline, j, urgentFirst)
	for i := range j.Life.Shape.Stages {
		model := j.Life.Shape.Model(i)
		s.ofModel[model] = insert(s.ofModel[model], j, SubmittedFirst)
	}
}

func insert(list []*Job, j *Job, order func(a, b *Job) int) []*Job {
	if n := len(list); n == 0 || order(list[n-1], j) < 0 { // most come in order
		return append(list, j)
	}
	at, _ := slices.BinarySearchFunc(list, j, order)
	return slices.Insert(list, at, j)
}

func (s *Jobs) remove(j *Job) {
	delete(s.Of, j.Life)
	j.Gone = true
	s.BySeq = remove(s.BySeq, j, SubmittedFirst)
	s.ByDeadline = remove(s.ByDeadline, j, urgentFirst)
	for i := range j.Life.Shape.Stages {
		model := j.Life.Shape.Model(i)
		if left := remove(s.ofModel[model], j, SubmittedFirst); len(left) > 0 {
			s.ofModel[model] = left
		} else {
			delete(s.ofModel, model)
		}
	}
}

func remove(list []*Job, j *Job, order func(a, b *Job) int) []*Job {
	at, _ := slices.BinarySearchFunc(list, j, order)
	return slices.Delete(list, at, at+1)
}

// YieldOverdue moves jobs whose wish of a deadline has passed to the jobs without a deadline.
func (s *Jobs) YieldOverdue(now int64) {
	for i := 0; i < len(s.ByDeadline) && s.ByDeadline[i].Due < now; {
		if j := s.ByDeadline[i]; !s.Yield(j, now) {
			i++
		}
	}
}

// Yield moves a job to those without a deadline if its own no longer counts. It reports whether it did.
func (s *Jobs) Yield(j *Job, now int64) bool {
	if j.Due == Never || j.Life.Due(now) != 0 {
		return false
	}
	s.remove(j)
	j.Due, j.Gone = Never, false
	s.add(j)
	return true
}

// From yields the jobs that rounds look at, by submission, from an entry of the log on.
func (s *Jobs) From(seq uint64) iter.Seq[*ledger.Job] {
	return func(yield func(*ledger.Job) bool) {
		at, _ := slices.BinarySearchFunc(s.BySeq, seq, func(j *Job, seq uint64) int { return cmp.Compare(j.Life.Seq, seq) })
		for _, j := range s.BySeq[at:] {
			if !yield(j.Life) {
				return
			}
		}
	}
}

// Publishing is the stage that publishes the job's results, -1 if there is none.
func Publishing(j *ledger.Job) int {
	return slices.IndexFunc(j.Shape.Stages, func(st spec.Stage) bool { return st.Publish })
}

// Starving bounds how long a job waits while others get slots that it could use. After that it takes
// its turn by submission.
const Starving = int64(10 * time.Minute)
