package admission

import (
	"slices"

	"lull/admission/level"
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
	// maxPlayed is how many steps one take has at most.
	maxPlayed = 1_500
)

// rehearsal plays the same jobs several times, each time with other task times. The result of list
// scheduling depends on which slot is free first: if a task ends five seconds later, another job's
// last task may get a slot three times as slow (Graham, Bounds on multiprocessing timing anomalies,
// 1969). So one play says little, and a promise is what holds in all of them.
type rehearsal struct {
	play
	pool  *pool
	stage seats  // as the play begins
	cast  []part // as the play begins
	acts  []act  // of all parts, one behind the other
	takes int
}

// rehearse prepares to play the loads, by deadline; it looks for the ends of
// those with a deadline, and of wanted. It is false if there are too many.
func (j *judge) rehearse(loads []*load, wanted *load) (*rehearsal, bool) {
	if j.Config.Mode == subjects.ModeEq7 || len(loads) > maxCast || len(j.pool.seats()) == 0 {
		return nil, false
	}
	r := &rehearsal{pool: j.pool, stage: j.pool.seats(), cast: make([]part, len(loads))}
	tasks := 1
	for i, l := range loads {
		q := &r.cast[i]
		q.load, q.start, q.wanted = l, span.Horizon, l == wanted || l.deadline != none
		for k := range l.terms {
			q.left += l.terms[k].left
			r.acts = append(r.acts, act{left: l.terms[k].left, ready: span.Horizon, end: l.terms[k].until})
		}
		if q.wanted {
			tasks += q.left
		}
	}
	r.takes = min(max(maxSteps/tasks, maxSteps/maxPlayed), maxTakes)
	return r, true
}

// each plays every take, and calls see with each result.
func (r *rehearsal) each(see func(p *play)) {
	for take := range r.takes {
		r.set(take)
		r.run()
		if r.wanted > 0 && len(r.seats)+len(r.held) > 0 {
			r.predictRest()
		}
		see(&r.play)
	}
}

// set puts all on stage as it is now.
func (r *rehearsal) set(take int) {
	r.take, r.first, r.wanted, r.steps = take, 0, 0, 0
	r.seats = append(r.seats[:0], r.stage...)
	r.parked, r.held, r.hasty, r.best = r.parked[:0], r.held[:0], false, 0
	for i := range r.seats {
		r.best = max(r.best, r.seats[i].step)
	}
	r.parts = append(r.parts[:0], r.cast...)
	r.vary()
	acts := slices.Clone(r.acts)
	for i := range r.parts {
		q := &r.parts[i]
		q.acts, acts = acts[:len(q.terms)], acts[len(q.terms):]
		if q.wanted && q.left > 0 {
			r.wanted++
		}
		for k := range q.acts {
			q.end = max(q.end, q.acts[k].end)
		}
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
		if s.load == nil {
			continue
		}
		varies := s.load.terms[s.stage].unit.varies
		s.free = max(s.free+span.Micros(float64(s.whole)*varies*variance.Deviation(r.take, int64(s.attempt), 0, 0)), 1)
	}
	r.seats.order()
}

// predictRest predicts what is left when the play was broken off: by its work, over the
// slots as they get free then.
func (r *rehearsal) predictRest() {
	free := make([]span.Micros, 0, len(r.seats)+len(r.parked)+len(r.held))
	for _, all := range []seats{r.seats, r.parked, r.held} {
		for i := range all {
			free = append(free, r.pool.supply.warp.Even(all[i].free))
		}
	}
	s := scan{warp: &r.pool.supply.warp, Rise: level.New(free).After(0), active: r.pool.supply.active}
	s.start = s.To(0)
	for i := range r.parts {
		q := &r.parts[i]
		if q.left == 0 {
			continue
		}
		rest := *q.load
		rest.work = 0
		for k := range q.acts {
			rest.work = span.Plus(rest.work, span.SlotTime(q.acts[k].left, q.terms[k].cost(q.slow(k))))
		}
		q.end = max(q.end, s.next(&rest))
	}
}
