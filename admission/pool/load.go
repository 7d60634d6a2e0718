package pool

import (
	"math"

	"lull/admission/span"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// None is the deadline of a job without one: behind all others.
const None = int64(math.MaxInt64)

// Load is what a job asks of the pool. It stays as it is until the job, its
// models or the pool change.
type Load struct {
	Seq      uint64      // by submission
	Deadline int64       // Unix nanoseconds, none for none
	Salt     int64       // of its tasks' variance: when it was submitted, Unix nanoseconds
	Shape    *spec.Job   // of a newcomer the whole specification
	Life     *ledger.Job // nil for a newcomer
	Stages   []LoadStage // by stage

	// Work is the slot time of the tasks that do not run yet: equation 6 over
	// all stages.
	Work span.Micros
	// Path is the longest chain of stages, each no less than its waves of
	// tasks: no number of slots makes the job shorter.
	Path span.Micros
	// Contention is what the pool's not being the job's alone may add: see contend.
	Contention span.Micros
	// PathSlots is how many slots the path takes for granted.
	PathSlots int
	// Until is when the last of its tasks that run now is done.
	Until span.Micros

	Pace   *pace
	Since  Conditions
	refits uint64 // value of costs.refits that its curves include
}

// LoadStage is what a job asks of the pool for one of its stages.
type LoadStage struct {
	Model string // name of the completion-time model
	Unit  *Unit
	Left  int         // tasks that neither run nor are done
	runs  int         // tasks that the level has on its slots
	Until span.Micros // when the last of those is done
	rate  float64     // tasks a second that those complete, as predicted
	trust float64     // how many ended tasks its model weighs as much as
	Shown shown
	Made  made
	Fetch fetch // of the tasks that are left
	// Factor is by how much its tasks differ from the unit's curve, by what was shown.
	Factor float64
}

// bytes is the input of a stage's task on average: a shape does not say it.
func (l *Load) bytes(stage int) int64 {
	if l.Life != nil {
		return l.Life.Stages[stage].Bytes
	}
	return l.Shape.Stages[stage].Bytes
}

// ID is the job's, "" for a newcomer.
func (l *Load) ID() string {
	if l.Life == nil {
		return ""
	}
	return l.Life.ID
}

// count takes in how the job's tasks stand.
func (l *Load) count() {
	for i := range l.Stages {
		t := &l.Stages[i]
		switch {
		case l.Life != nil:
			t.Left = max(l.Life.Left(i)-t.runs, 0)
		default:
			t.Left = int(l.Shape.Stages[i].Tasks)
		}
		if !l.Shape.Stages[i].RunsOnSuccess() && (l.Life == nil || !l.Life.Ready(i)) {
			t.Left = 0 // it runs only if another fails
		}
	}
}

// weigh sums up the stages; blocking is how long other jobs' tasks take.
func (l *Load) weigh(blocking float64) {
	l.Work, l.PathSlots, l.Until = 0, 1, 0
	for i := range l.Stages {
		t := &l.Stages[i]
		l.Work = span.Plus(l.Work, span.SlotTime(t.Left, t.Cost(l.Slow(i))))
		l.PathSlots = max(l.PathSlots, t.Unit.Class.slotsFor(l.atOnce(i)))
		l.Until = max(l.Until, t.Until)
	}
	l.Path = l.chain()
	l.Contention = l.contend(blocking)
}

// contend returns the time that a job may lose to others besides waiting for more urgent ones,
// because tasks are whole and none is taken off its slot for another. Its last task may begin on a
// slow slot when all the others are done: list scheduling ends within one task of the fluid
// prediction (Graham, Bounds on multiprocessing timing anomalies, 1969). And each stage that has to
// wait for an earlier one finds slots that were given away meanwhile: blocking, by a task of
// another job.
func (l *Load) contend(blocking float64) span.Micros {
	last, stages := 0.0, make([]float64, len(l.Stages))
	for i := range l.Stages {
		if t := &l.Stages[i]; t.Left > 0 {
			last = max(last, float64(t.Unit.worst*t.Unit.MarginFactor*l.Slow(i))+t.Lead().Exact())
			if stage := &l.Shape.Stages[i]; len(stage.From)+len(stage.After) > 0 {
				stages[i] = blocking
			}
		}
	}
	return span.Of(last + tct.CriticalPath(l.Shape.Stages, stages))
}

// chain is the path through the stages: of one that runs already, what is left
// of its last task counts too.
func (l *Load) chain() span.Micros {
	if len(l.Stages) == 1 {
		return span.Of(max(l.stage(0), l.inTurn()))
	}
	stages := make([]float64, len(l.Stages))
	for i := range stages {
		stages[i] = l.stage(i)
	}
	return span.Of(max(tct.CriticalPath(l.Shape.Stages, stages), l.inTurn()))
}

func (l *Load) stage(i int) float64 {
	t := &l.Stages[i]
	return max(t.time(l.Slow(i)), float64(t.Until)/1e6, l.turns(i))
}

// place gives the load its place in the queue.
func (l *Load) place(j *ledger.Job) {
	if l.Seq, l.Deadline = j.Seq, j.Deadline; l.Deadline == 0 || j.Late {
		l.Deadline = None
	}
}

// DropDeadline takes a job's deadline away, because it was a wish and has passed.
func (p *Pool) DropDeadline(l *Load) {
	p.Queue.Remove(l)
	l.Deadline = None
	p.Queue.Insert(l)
}

// Band is a fiftieth of the time that the job was given, but a second at least.
func (l *Load) Band() span.Micros {
	return max(1e6, span.Since(l.Life.Submitted, l.Deadline)/50)
}

// UntilDeadline is the span from now to the deadline.
func (l *Load) UntilDeadline(now int64) span.Micros {
	if l.Deadline == None {
		return span.Endless
	}
	return span.Since(now, l.Deadline)
}
