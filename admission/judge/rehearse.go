package judge

import (
	"slices"

	"lull/admission/level"
	"lull/admission/pool"
	"lull/admission/span"
	"lull/admission/variance"
	"lull/subjects"
)

const (
	// maxTakes is how often a queue is rehearsed at most.
	maxTakes = 16
	// maxSteps bounds all takes of a rehearsal together, some 150 ns each:
	// longer queues are rehearsed less often. Over many tasks, variance evens out.
	maxSteps = 3_000
	// maxTakeSteps is how many steps one take has at most.
	maxTakeSteps = 1_500
)

// rehearsal plays the same jobs several times, each time with other task times. The result of list
// scheduling depends on which slot is free first: if a task ends five seconds later, another job's
// last task may get a slot three times as slow (Graham, Bounds on multiprocessing timing anomalies,
// 1969). So one play says little, and a promise is what holds in all of them.
type rehearsal struct {
	Play
	pool        *pool.Pool
	startSeats  pool.Seats    // as each play begins
	startJobs   []playedJob   // as each play begins
	startStages []playedStage // as each play begins: of all parts, one behind the other
	Takes       int
}

// Rehearse prepares to play the loads, by deadline; it looks for the ends of
// those with a deadline, and of wanted. It is false if there are too many.
func (j *Judge) Rehearse(loads []*pool.Load, wanted *pool.Load) (*rehearsal, bool) {
	if j.Config.Mode == subjects.ModeEq7 || len(loads) > pool.MaxPlayed || len(j.Pool.Running.Seats()) == 0 {
		return nil, false
	}
	r := &rehearsal{pool: j.Pool, startSeats: j.Pool.Running.Seats(), startJobs: make([]playedJob, len(loads))}
	tasks := 1
	for i, l := range loads {
		q := &r.startJobs[i]
		q.begin = pool.Begin(j.Pool, l)
		q.Load, q.start, q.wanted = l, span.Horizon, l == wanted || l.Deadline != pool.None
		for k := range l.Stages {
			q.left += l.Stages[k].Left
			r.startStages = append(r.startStages, playedStage{left: l.Stages[k].Left, ready: span.Horizon, end: l.Stages[k].Until})
		}
		if q.wanted {
			tasks += q.left
		}
	}
	r.Takes = min(max(maxSteps/tasks, maxSteps/maxTakeSteps), maxTakes)
	return r, true
}

// Each plays every take and calls see with its result.
func (r *rehearsal) Each(see func(p *Play)) {
	for take := range r.Takes {
		r.beginTake(take)
		r.run()
		if r.wanted > 0 && len(r.seats)+len(r.held) > 0 {
			r.predictRest()
		}
		see(&r.Play)
	}
}

// beginTake sets the play to the present state of the pool.
func (r *rehearsal) beginTake(take int) {
	r.take, r.first, r.wanted, r.steps = take, 0, 0, 0
	r.seats = append(r.seats[:0], r.startSeats...)
	r.parked, r.held, r.forced, r.best = r.parked[:0], r.held[:0], false, 0
	for i := range r.seats {
		r.best = max(r.best, r.seats[i].Step)
	}
	r.Jobs = append(r.Jobs[:0], r.startJobs...)
	r.vary()
	acts := slices.Clone(r.startStages)
	for i := range r.Jobs {
		q := &r.Jobs[i]
		q.stages, acts = acts[:len(q.Stages)], acts[len(q.Stages):]
		if q.wanted && q.left > 0 {
			r.wanted++
		}
		for k := range q.stages {
			q.End = max(q.End, q.stages[k].end)
		}
		q.shut(r.seats)
		q.open()
	}
}

// vary varies the tasks that run already: what is left of a task moves by what
// all of it varies.
func (r *rehearsal) vary() {
	if r.take == 0 {
		return
	}
	for i := range r.seats {
		s := &r.seats[i]
		if s.Load == nil {
			continue
		}
		varies := s.Load.Stages[s.Stage].Unit.Varies
		s.Free = max(s.Free+span.Micros(float64(s.Whole)*varies*variance.Deviation(r.take, int64(s.Attempt), 0, 0)), 1)
	}
	r.seats.Order()
}

// predictRest predicts what is left when the play was broken off: by its work, over the
// slots as they get free then.
func (r *rehearsal) predictRest() {
	free := make([]span.Micros, 0, len(r.seats)+len(r.parked)+len(r.held))
	for _, all := range []pool.Seats{r.seats, r.parked, r.held} {
		for i := range all {
			free = append(free, r.pool.Supply.Warp.Even(all[i].Level()))
		}
	}
	s := scan{warp: &r.pool.Supply.Warp, Rise: level.New(free).After(0), active: r.pool.Supply.Active}
	s.start = s.To(0)
	for i := range r.Jobs {
		q := &r.Jobs[i]
		if q.left == 0 {
			continue
		}
		q.End = max(q.End, s.Next(r.pool.Remainder(q.Load, func(stage int) int { return q.stages[stage].left })))
	}
}
