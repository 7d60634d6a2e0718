package slotter

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"lull/slotter/queues"
	"lull/subjects/ledger"
	"lull/subjects/tct"
)

// job is what the slotter keeps of a live job beside the ledger.
type job struct {
	life   *ledger.Job
	queue  *queues.Queue
	due    int64 // its deadline, the end of time for none
	stages []stage
	gone   bool  // it has ended
	kind   *kind // nil once one of its tasks was tried
	// rate is what its attempts complete: a sum over them all, kept up host by
	// host. It is a whole number, so that it does not depend on the order in
	// which it was summed.
	rate rate

	// served is when it was last given a slot, or opened.
	served int64
	// later is the seconds that the stages take which are not ready yet, done
	// the number of complete stages that it is of, -1 for none, and supply the
	// changes of what the pool offers.
	later  float64
	done   int
	supply uint64

	pace  pace         // that its tasks should have
	unmet queues.Unmet // its claim to slots, for its deadline

	// Of the current round.
	admitted  bool // its queue's limit lets it have tasks
	planned   rate
	remaining int // tasks of stages that are ready
	works     []*work
	round     uint64 // that rivals is of
	rivals    int    // second attempts of its tasks
	yields    rate   // of attempts that are to end for others
}

// stage is what decides where a stage's tasks wait.
type stage struct {
	curve *tct.Curve
	group *group
	probe *probe  // nil if its model stands
	slow  float64 // its model's ninetieth percentile of the time over that predicted, 0 if unknown
	// spared are attempts up to which none is slowed: see spare.
	spared uint64
	// contested is the round that looks for its stragglers.
	contested uint64
	// flights counts its attempts that run, by range of residual, as long as
	// its model is explored.
	flights [probeBins]int
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
	j.gone = true
	at, _ := slices.BinarySearchFunc(s.bySeq, j, submittedFirst)
	s.bySeq = slices.Delete(s.bySeq, at, at+1)
	at, _ = slices.BinarySearchFunc(s.byDeadline, j, urgentFirst)
	s.byDeadline = slices.Delete(s.byDeadline, at, at+1)
}

// open adds a job that may run from now on.
func (a *Actor) open(life *ledger.Job) {
	if life.Untried() {
		a.await(life)
		return
	}
	a.schedule(life)
}

// schedule adds a job to those that rounds look at.
func (a *Actor) schedule(life *ledger.Job) *job {
	j := &job{life: life, due: never, served: a.now, stages: make([]stage, len(life.Stages))}
	j.queue = a.queues.Join(a.state, life.Shape.Share())
	if life.Deadline != 0 {
		j.due = life.Deadline
	}
	a.jobs.add(j)
	a.place(j)
	return j
}

// unschedule removes a job from those that rounds look at.
func (a *Actor) unschedule(j *job) {
	a.jobs.remove(j)
	a.queues.Leave(j.queue)
	a.tidy()
}

// place gives the job's stages their curves and groups.
func (a *Actor) place(j *job) {
	j.done = -1
	for i := range j.stages {
		spec := &j.life.Shape.Stages[i]
		model := a.state.Model(j.life.Shape.Model(i))
		curve := a.curves.Of(model, spec.Estimate, j.life.Stages[i].Bytes)
		st := &j.stages[i]
		st.curve, st.group, st.probe = curve, a.lines.group(j.queue, spec, curve), a.probeOf(j.life.Shape.Model(i))
		st.slow = 0
		if model != nil {
			st.slow = model.Slow
		}
	}
}

// close stops scheduling a job that has ended.
func (a *Actor) close(id string) {
	delete(a.endings.faults, id)
	a.due.unwanted = true
	life := a.state.Job(id)
	if life == nil || life.Admitted == 0 {
		return // it never waited for slots
	}
	if j := a.leaves(life); j != nil {
		a.unschedule(j)
		a.pacing.news = true
	}
}

// tidy drops lines and curves that no job uses any more, now and then.
func (a *Actor) tidy() {
	if len(a.lines.groups) < 64+8*len(a.jobs.bySeq) {
		return
	}
	a.lines, a.curves, a.probes = newLines(), tct.NewCurves(), map[string]*probe{}
	for _, j := range a.jobs.bySeq {
		a.place(j)
	}
}

// refit gives the jobs of a type a new model of one of its stages.
func (a *Actor) refit(model string) {
	a.curves.Forget(model)
	jobType, _, _ := strings.Cut(model, ":")
	for _, j := range a.jobs.bySeq {
		if j.life.Shape.Type == jobType {
			a.place(j)
		}
	}
	a.hosts.touchAll() // the rates of its attempts are others now
}
