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

// Job is what the slotter keeps about a live job in addition to the ledger.
type Job struct {
	Life   *ledger.Job
	Queue  *queues.Queue
	Due    int64 // its deadline in Unix nanoseconds, Never for none
	Stages []Stage
	Gone   bool // it has ended
	// Kind is the job's place in the backlog while none of its tasks has been tried, nil after that. Only
	// package backlog knows its type.
	Kind any
	// Rate is the sum of the rates of its attempts, kept up to date host by host. It is
	// a whole number, so that the sum does not depend on the order of its terms.
	Rate Rate

	// Served is when the job was last given a slot, or was admitted if it has had none.
	Served int64
	// Asked.Round is the last round in which a job with a placement had a waiting task, and Asked.Since
	// the time since when every round found one.
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

	Unmet queues.Unmet // its claim to slots that it needs to meet its deadline

	bounded bool // it has at_once: see CountRunning

	// Of the current round.
	running   int  // attempts, if bounded
	Admitted  bool // its queue's limit allows it tasks
	Planned   Rate // of the tasks that were given slots
	Remaining int  // tasks of stages that are ready
	Works     []*Work
	Round     uint64 // the round in which Rivals was counted
	Rivals    int    // second attempts of its tasks
	Yields    Rate   // of its attempts that are to end so that other jobs get slots

	Pace *pacing.Job
}

// Waits reports whether the job waits in the backlog: none of its tasks has been tried.
func (j *Job) Waits() bool { return j.Kind != nil }

// Stage is what the slotter keeps about a stage of a live job.
type Stage struct {
	Curve *tct.Curve
	Group *Group
	Probe *probe  // its model's exploration, nil once the model has been fitted
	Slow  float64 // ninetieth percentile of its model's ratios of measured to predicted time, 0 if unknown
	// Contested is the last round that looked for stragglers of the stage.
	Contested uint64
	// flights counts its running attempts by range of residual, while its model is
	// explored.
	flights [probeBins]int
	running int // attempts of the current round, if its job is bounded
}

// Rate is a number of tasks in 2^28 seconds.
type Rate int64

// RateUnit is the Rate of one task a second.
const RateUnit = 1 << 28

// RateOf returns the rate at which one slot with a residual completes tasks of a curve.
func RateOf(c *tct.Curve, residual float64) Rate { return RateAt(c, tct.Step(residual)) }

// RateAt is RateOf for a step of residual (see tct.Step).
func RateAt(c *tct.Curve, step int) Rate { return Rate(RateUnit / c.At(step)) }

// Never is the deadline of a job without one.
const Never = math.MaxInt64

// Jobs are the live jobs.
type Jobs struct {
	Of         map[*ledger.Job]*Job
	BySeq      []*Job            // by submission
	ByDeadline []*Job            // by deadline, then submission
	ofModel    map[string][]*Job // the jobs with a stage of that model, by submission
}

func newJobs() Jobs { return Jobs{Of: map[*ledger.Job]*Job{}, ofModel: map[string][]*Job{}} }

// SubmittedFirst orders jobs by submission.
func SubmittedFirst(a, b *Job) int { return cmp.Compare(a.Life.Seq, b.Life.Seq) }

// urgentFirst orders jobs by deadline, then submission.
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

// DropPassedDeadlines moves each job that has passed a deadline which was not promised to the jobs without a
// deadline.
func (s *Jobs) DropPassedDeadlines(now int64) {
	for i := 0; i < len(s.ByDeadline) && s.ByDeadline[i].Due < now; {
		if j := s.ByDeadline[i]; !s.DropPassedDeadline(j, now) {
			i++
		}
	}
}

// DropPassedDeadline moves a job to those without a deadline if its own no longer counts. It reports whether it did.
func (s *Jobs) DropPassedDeadline(j *Job, now int64) bool {
	if j.Due == Never || j.Life.Due(now) != 0 {
		return false
	}
	s.remove(j)
	j.Due, j.Gone = Never, false
	s.add(j)
	return true
}

// From yields the jobs of rounds that were submitted at or after an entry of the log, in order of
// submission.
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

// Starving is the time that a job waits at most, in nanoseconds, while other jobs get slots that it
// could use. After that it gets slots in order of submission.
const Starving = int64(10 * time.Minute)
