package admission

import (
	"math"

	"lull/admission/span"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// none is the deadline of a job without one: behind all others.
const none = int64(math.MaxInt64)

// load is what a job asks of the pool. It stays as it is until the job, its
// models or the pool change.
type load struct {
	seq      uint64      // by submission
	deadline int64       // Unix nanoseconds, none for none
	salt     int64       // of its tasks' variance: when it was submitted, Unix nanoseconds
	shape    *spec.Job   // of a newcomer the whole specification
	life     *ledger.Job // nil for a newcomer
	terms    []term      // by stage

	// work is the slot time of the tasks that do not run yet: equation 6 over
	// all stages.
	work span.Micros
	// path is the longest chain of stages, each no less than its waves of
	// tasks: no number of slots makes the job shorter.
	path span.Micros
	// tail is what the pool's not being the job's alone may add: see contend.
	tail span.Micros
	// wide is how many slots the path takes for granted.
	wide int
	// until is when the last of its tasks that run now is done.
	until span.Micros

	pace    *pace
	since   conditions
	lessons uint64 // the last lesson that its curves include
}

// term is a stage of a load.
type term struct {
	model string // name of the completion-time model
	unit  *unit
	left  int         // tasks that neither run nor are done
	runs  int         // tasks that the level has on its slots
	until span.Micros // when the last of those is done
	rate  float64     // tasks a second that those complete, as predicted
	shown shown
	made  made
	fetch fetch // of the tasks that are left
	// factor is by how much its tasks differ from the unit's curve, by what was shown.
	factor float64
}

// bytes is the input of a stage's task on average: a shape does not say it.
func (l *load) bytes(stage int) int64 {
	if l.life != nil {
		return l.life.Stages[stage].Bytes
	}
	return l.shape.Stages[stage].Bytes
}

// id is the job's, "" for a newcomer.
func (l *load) id() string {
	if l.life == nil {
		return ""
	}
	return l.life.ID
}

// count takes in how the job's tasks stand.
func (l *load) count() {
	for i := range l.terms {
		t := &l.terms[i]
		switch {
		case l.life != nil:
			t.left = max(l.life.Left(i)-t.runs, 0)
		default:
			t.left = int(l.shape.Stages[i].Tasks)
		}
		if !l.shape.Stages[i].Usual() && (l.life == nil || !l.life.Ready(i)) {
			t.left = 0 // it runs only if another fails
		}
	}
}

// weigh sums up the stages; blocking is how long other jobs' tasks take.
func (l *load) weigh(blocking float64) {
	l.work, l.wide, l.until = 0, 1, 0
	for i := range l.terms {
		t := &l.terms[i]
		l.work = span.Plus(l.work, span.SlotTime(t.left, t.cost(l.slow(i))))
		l.wide = max(l.wide, t.left*int(t.unit.class.cpu))
		l.until = max(l.until, t.until)
	}
	l.path = l.chain()
	l.tail = l.contend(blocking)
}

// contend returns the time that a job may lose to others besides waiting for more urgent ones,
// because tasks are whole and none is taken off its slot for another. Its last task may begin on a
// slow slot when all the others are done: list scheduling ends within one task of the fluid
// prediction (Graham, Bounds on multiprocessing timing anomalies, 1969). And each stage that has to
// wait for an earlier one finds slots that were given away meanwhile: blocking, by a task of
// another job.
func (l *load) contend(blocking float64) span.Micros {
	last, stages := 0.0, make([]float64, len(l.terms))
	for i := range l.terms {
		if t := &l.terms[i]; t.left > 0 {
			last = max(last, float64(t.unit.worst*t.unit.worth*l.slow(i))+t.lead().Exact())
			if stage := &l.shape.Stages[i]; len(stage.From)+len(stage.After) > 0 {
				stages[i] = blocking
			}
		}
	}
	return span.Of(last + tct.CriticalPath(l.shape.Stages, stages))
}

// chain is the path through the stages: of one that runs already, what is left
// of its last task counts too.
func (l *load) chain() span.Micros {
	if len(l.terms) == 1 {
		return span.Of(l.stage(0))
	}
	stages := make([]float64, len(l.terms))
	for i := range stages {
		stages[i] = l.stage(i)
	}
	return span.Of(tct.CriticalPath(l.shape.Stages, stages))
}

func (l *load) stage(i int) float64 {
	t := &l.terms[i]
	return max(t.time(l.slow(i)), float64(t.until)/1e6)
}

// place gives the load its place in the queue.
func (l *load) place(j *ledger.Job) {
	if l.seq, l.deadline = j.Seq, j.Deadline; l.deadline == 0 || j.Late {
		l.deadline = none
	}
}

// yield takes a job's deadline away, because it was a wish and has passed.
func (p *pool) yield(l *load) {
	p.queue.Remove(l)
	l.deadline = none
	p.queue.Insert(l)
}

// band is a fiftieth of the time that the job was given, but a second at least.
func (l *load) band() span.Micros {
	return max(1e6, span.Since(l.life.Submitted, l.deadline)/50)
}

// until is the span from now to the deadline.
func (l *load) untilDeadline(now int64) span.Micros {
	if l.deadline == none {
		return span.Endless
	}
	return span.Since(now, l.deadline)
}
