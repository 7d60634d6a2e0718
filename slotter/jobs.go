package slotter

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"lull/subjects/ledger"
	"lull/subjects/tct"
)

// job is what the slotter keeps of a live job beside the ledger.
type job struct {
	life   *ledger.Job
	due    int64 // its deadline, the end of time for none
	stages []stage
	// rate is what its attempts complete: a sum over them all, kept up host by
	// host. It is a whole number, so that it does not depend on the order in
	// which it was summed.
	rate rate

	// Of the current round.
	planned   rate
	remaining int
	works     []*work
}

// stage is what decides where a stage's tasks wait.
type stage struct {
	curve *tct.Curve
	group *group
}

// rate is a number of tasks in 2^28 seconds.
type rate int64

const rateUnit = 1 << 28

// rateOf is the rate of one slot with a residual.
func rateOf(c *tct.Curve, residual float64) rate { return rate(rateUnit / c.Seconds(residual)) }

const never = math.MaxInt64

// jobs are the live jobs.
type jobs struct {
	of         map[*ledger.Job]*job
	bySeq      []*job // by submission
	byDeadline []*job // by deadline, then submission
}

func newJobs() jobs { return jobs{of: map[*ledger.Job]*job{}} }

func submittedFirst(a, b *job) int { return cmp.Compare(a.life.Seq, b.life.Seq) }

func urgentFirst(a, b *job) int {
	return cmp.Or(cmp.Compare(a.due, b.due), submittedFirst(a, b))
}

func (s *jobs) add(j *job) {
	s.of[j.life] = j
	at, _ := slices.BinarySearchFunc(s.bySeq, j, submittedFirst)
	s.bySeq = slices.Insert(s.bySeq, at, j)
	at, _ = slices.BinarySearchFunc(s.byDeadline, j, urgentFirst)
	s.byDeadline = slices.Insert(s.byDeadline, at, j)
}

func (s *jobs) remove(j *job) {
	delete(s.of, j.life)
	at, _ := slices.BinarySearchFunc(s.bySeq, j, submittedFirst)
	s.bySeq = slices.Delete(s.bySeq, at, at+1)
	at, _ = slices.BinarySearchFunc(s.byDeadline, j, urgentFirst)
	s.byDeadline = slices.Delete(s.byDeadline, at, at+1)
}

// open begins to schedule a job.
func (a *Actor) open(id string) {
	life := a.state.Job(id)
	j := &job{life: life, due: never, stages: make([]stage, len(life.Stages))}
	if life.Deadline != 0 {
		j.due = life.Deadline
	}
	a.jobs.add(j)
	a.place(j)
}

// place gives the job's stages their curves and groups.
func (a *Actor) place(j *job) {
	for i := range j.stages {
		spec := &j.life.Spec.Stages[i]
		curve := a.curves.Of(a.state.Model(j.life.Spec.Model(i)), spec.Estimate, spec.Bytes)
		j.stages[i] = stage{curve: curve, group: a.lines.group(spec, curve)}
	}
}

// close stops scheduling a job that has ended.
func (a *Actor) close(id string) {
	delete(a.faults, id)
	a.due.unwanted = true
	if j := a.jobs.of[a.state.Job(id)]; j != nil {
		a.jobs.remove(j)
		a.tidy()
	}
}

// tidy drops lines and curves that nobody uses any more, now and then.
func (a *Actor) tidy() {
	if len(a.lines.groups) < 64+8*len(a.jobs.bySeq) {
		return
	}
	a.lines, a.curves = newLines(), tct.NewCurves()
	for _, j := range a.jobs.bySeq {
		a.place(j)
	}
}

// refit gives the jobs of a type a new model of one of its stages.
func (a *Actor) refit(model string) {
	a.curves.Forget(model)
	jobType, _, _ := strings.Cut(model, ":")
	for _, j := range a.jobs.bySeq {
		if j.life.Spec.Type == jobType {
			a.place(j)
		}
	}
	a.hosts.touchAll() // the rates of its attempts are others now
}
