package slotter

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

// job is what the slotter keeps of a live job beside the ledger.
type job struct {
	life   *ledger.Job
	queue  *queues.Queue
	due    int64 // its deadline, the end of time for none
	stages []stage
	gone   bool // it has ended
	waits  bool // in the backlog: none of its tasks was tried
	// rate is what its attempts complete: a sum over them all, kept up to date host
	// by host. It is a whole number, so that it does not depend on the order in
	// which it was summed.
	rate rate

	// served is when it was last given a slot, or opened.
	served int64
	// later is the time in seconds that the stages will take which are not ready yet.
	// It was computed when done stages were complete (-1: it was not), and the
	// supply had changed so often.
	later  float64
	done   int
	supply uint64

	unmet queues.Unmet // its claim to slots, for its deadline

	// Of the current round.
	admitted  bool // its queue's limit allows it tasks
	planned   rate
	remaining int // tasks of stages that are ready
	works     []*work
	round     uint64 // that rivals is of
	rivals    int    // second attempts of its tasks
	yields    rate   // of attempts that are to end for others

	pace *pacing.Job
}

// stage is what decides where a stage's tasks wait.
type stage struct {
	curve *tct.Curve
	group *group
	probe *probe  // nil if its model has been fitted
	slow  float64 // its model's ninetieth percentile of the time over that predicted, 0 if unknown
	// contested is the round that looks for its stragglers.
	contested uint64
	// flights counts its attempts that run, by range of residual, as long as
	// its model is explored.
	flights [probeBins]int
}

// rate is a number of tasks in 2^28 seconds.
type rate int64

// rateUnit is a rate of one task a second.
const rateUnit = 1 << 28

// rateOf is the rate of one slot with a residual.
func rateOf(c *tct.Curve, residual float64) rate { return rateAt(c, tct.Step(residual)) }

// rateAt is rateOf at a step of residual.
func rateAt(c *tct.Curve, step int) rate { return rate(rateUnit / c.At(step)) }

// never is the deadline of a job without one.
const never = math.MaxInt64

// jobs are the live jobs.
type jobs struct {
	of         map[*ledger.Job]*job
	bySeq      []*job            // by submission
	byDeadline []*job            // by deadline, then submission
	ofModel    map[string][]*job // by the models of its stages, then submission
}

func newJobs() jobs { return jobs{of: map[*ledger.Job]*job{}, ofModel: map[string][]*job{}} }

// submittedFirst orders jobs by submission.
func submittedFirst(a, b *job) int { return cmp.Compare(a.life.Seq, b.life.Seq) }

func urgentFirst(a, b *job) int {
	return cmp.Or(cmp.Compare(a.due, b.due), submittedFirst(a, b))
}

func (s *jobs) add(j *job) {
	s.of[j.life] = j
	s.bySeq = insert(s.bySeq, j, submittedFirst)
	s.byDeadline = insert(s.byDeadline, j, urgentFirst)
	for i := range j.life.Shape.Stages {
		model := j.life.Shape.Model(i)
		s.ofModel[model] = insert(s.ofModel[model], j, submittedFirst)
	}
}

func insert(list []*job, j *job, order func(a, b *job) int) []*job {
	at, _ := slices.BinarySearchFunc(list, j, order)
	return slices.Insert(list, at, j)
}

func (s *jobs) remove(j *job) {
	delete(s.of, j.life)
	j.gone = true
	s.bySeq = remove(s.bySeq, j, submittedFirst)
	s.byDeadline = remove(s.byDeadline, j, urgentFirst)
	for i := range j.life.Shape.Stages {
		model := j.life.Shape.Model(i)
		if left := remove(s.ofModel[model], j, submittedFirst); len(left) > 0 {
			s.ofModel[model] = left
		} else {
			delete(s.ofModel, model)
		}
	}
}

func remove(list []*job, j *job, order func(a, b *job) int) []*job {
	at, _ := slices.BinarySearchFunc(list, j, order)
	return slices.Delete(list, at, at+1)
}

// yieldOverdue moves jobs whose wish of a deadline has passed to the jobs without a deadline.
func (s *jobs) yieldOverdue(now int64) {
	for i := 0; i < len(s.byDeadline) && s.byDeadline[i].due < now; {
		if j := s.byDeadline[i]; !s.yield(j, now) {
			i++
		}
	}
}

// yield moves a job to those without a deadline if its own counts no more.
func (s *jobs) yield(j *job, now int64) bool {
	if j.due == never || j.life.Due(now) != 0 {
		return false
	}
	s.remove(j)
	j.due, j.gone = never, false
	s.add(j)
	return true
}

// from yields the jobs that rounds look at, by submission, from an entry of the log on.
func (s *jobs) from(seq uint64) iter.Seq[*ledger.Job] {
	return func(yield func(*ledger.Job) bool) {
		at, _ := slices.BinarySearchFunc(s.bySeq, seq, func(j *job, seq uint64) int { return cmp.Compare(j.life.Seq, seq) })
		for _, j := range s.bySeq[at:] {
			if !yield(j.life) {
				return
			}
		}
	}
}

// publishing is the stage that publishes the job's results, -1 if there is none.
func publishing(j *ledger.Job) int {
	return slices.IndexFunc(j.Shape.Stages, func(st spec.Stage) bool { return st.Publish })
}

// starving is how long a job waits at most while others get slots that it
// could use. Then its turn is that of its submission.
const starving = int64(10 * time.Minute)
