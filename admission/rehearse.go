package admission

import "slices"

// rehearsal plays the same jobs several times, each time with other luck. What
// list scheduling makes of a queue hangs on which slot is free first: that a
// task ends five seconds later may put another job's last task on a slot three
// times as slow (Graham, Bounds on multiprocessing timing anomalies, 1969). So
// one play foretells little, and a promise is what holds in all of them.
type rehearsal struct {
	play
	stage seats  // as the play begins
	cast  []part // as the play begins
	acts  []act  // of all parts, one behind the other
	takes int
}

const (
	// maxTakes is how often a queue is rehearsed at most.
	maxTakes = 16
	// maxSteps bounds all takes of a rehearsal together, 50 to 100 ns each:
	// longer queues are rehearsed less often. Their luck evens out.
	maxSteps = 6_000
	// maxPlayed is how many tasks are played at most. Behind a longer queue, work
	// is poured over the slots: see level.
	maxPlayed = 1_500
)

// rehearse prepares to play the loads, by deadline; it looks for the ends of
// those with a deadline, and of wanted. It is false if there are too many tasks,
// or some need several cores: which of them fit side by side is the slotter's
// art.
func (a *Actor) rehearse(loads []*load, wanted *load) (*rehearsal, bool) {
	if a.cfg.Mode == ModeEq7 || len(loads) > maxPlayed || len(a.seats()) == 0 {
		return nil, false
	}
	r := &rehearsal{stage: a.seats(), cast: make([]part, len(loads))}
	tasks := 1
	for i, l := range loads {
		q := &r.cast[i]
		q.load, q.start, q.wanted = l, horizon, l == wanted || l.deadline != none
		for k := range l.terms {
			if l.terms[k].left > 0 && l.terms[k].unit.class.cpu > 1 {
				return nil, false
			}
			q.left += l.terms[k].left
			r.acts = append(r.acts, act{left: l.terms[k].left, ready: horizon, end: l.terms[k].until})
		}
		if q.wanted {
			tasks += q.left
		}
	}
	r.takes = min(max(maxSteps/tasks, 1), maxTakes)
	return r, tasks <= maxPlayed
}

// each plays every take and hands out the parts as they ended. It is false if a
// play took too long.
func (r *rehearsal) each(see func(p *play)) bool {
	for take := range r.takes {
		r.set(take)
		if !r.run() {
			return false
		}
		see(&r.play)
	}
	return true
}

// set puts all on stage as it is now.
func (r *rehearsal) set(take int) {
	r.take, r.first, r.wanted, r.steps = take, 0, 0, 0
	r.seats = append(r.seats[:0], r.stage...)
	r.parked = r.parked[:0]
	r.parts = append(r.parts[:0], r.cast...)
	acts := slices.Clone(r.acts)
	for i := range r.parts {
		q := &r.parts[i]
		q.acts, acts = acts[:len(q.terms)], acts[len(q.terms):]
		if q.wanted && q.left > 0 {
			r.wanted++
		}
	}
	r.vary()
	for i := range r.parts {
		q := &r.parts[i]
		for k := range q.acts {
			q.end = max(q.end, q.acts[k].end)
		}
		q.open()
	}
}

// vary gives what runs already its luck: what is left of a task moves by what
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
		t := &s.load.terms[s.stage]
		s.free = max(s.free+micros(float64(s.whole)*t.varies*luck(r.take, int64(s.attempt), 0, 0)), 1)
	}
	r.seats.order()
}
