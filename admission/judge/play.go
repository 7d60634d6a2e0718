package judge

import (
	"lull/admission/pool"
	"lull/admission/span"
	"lull/admission/variance"
)

// Play runs through a queue, task by task: each slot that gets free takes a task of the first job
// by deadline that has one ready for it.
type Play struct {
	take   int
	seats  pool.Seats
	parked pool.Seats // for which no task is ready, nor will be at a known time
	held   pool.Seats // that tasks do not take, because they would end sooner on others
	best   int        // residual of the best seat
	forced bool       // no other seats are left: tasks take those that were held
	Jobs   []playedJob
	first  int // index of the first job with tasks to place
	wanted int // jobs with an end that is asked for and not known yet
	steps  int // made so far
}

// playedJob is a job in a play.
type playedJob struct {
	*pool.Load
	stages []playedStage
	left   int         // tasks to place
	wanted bool        // its end is looked for
	begin  span.Micros // when the jobs that it runs after have ended
	start  span.Micros
	End    span.Micros
	gate
}

// playedStage is a stage in a play.
type playedStage struct {
	left  int
	ready span.Micros // horizon as long as that is not known
	end   span.Micros
	gate
}

// run plays until all that is looked for is known, or maxTakeSteps steps are made.
func (p *Play) run() {
	for p.wanted > 0 && p.steps < maxTakeSteps && (len(p.seats) > 0 || len(p.held) > 0) {
		if p.steps++; len(p.seats) == 0 {
			p.releaseHeld()
		}
		p.serve()
	}
	if len(p.seats)+len(p.held) > 0 {
		return
	}
	for i := range p.Jobs {
		if q := &p.Jobs[i]; q.left > 0 {
			q.End = span.Horizon // nothing is left that could run its tasks
		}
	}
}

// serve gives a task to the seat that is free next, or makes the seat wait for a task.
func (p *Play) serve() {
	s, next := &p.seats[0], span.Horizon
	if at := s.Opens(s.Nth, s.Free); at != s.Free {
		p.close(at)
		return
	}
	for ; p.first < len(p.Jobs) && p.Jobs[p.first].left == 0; p.first++ {
	}
	waiting := 0
	for i := p.first; i < len(p.Jobs); i++ {
		q := &p.Jobs[i]
		k, at := q.ready(s)
		if k < 0 {
			next = min(next, at)
			continue
		}
		if waiting += q.stages[k].left; !p.holds(q, k, s, waiting) {
			p.place(q, k, s)
			return
		}
	}
	if waiting > 0 {
		p.hold()
		return
	}
	if next = min(next, s.Opening()); next == span.Horizon {
		p.parked = append(p.parked, p.seats.Pop())
		return
	}
	s.Free = next
	p.seats.Sink(0)
}

// close makes the top seat wait until its host is expected to leave it CPU again, or removes it if
// that is never.
func (p *Play) close(until span.Micros) {
	if until == span.Horizon {
		p.seats.Pop()
		return
	}
	p.seats[0].Free = until
	p.seats.Sink(0)
}

// ready returns a stage that has a task for the seat, or -1 and the time at which one
// will have.
func (q *playedJob) ready(s *pool.Seat) (stage int, at span.Micros) {
	at = span.Horizon
	if q.left == 0 {
		return -1, at
	}
	for k := range q.stages {
		act := &q.stages[k]
		switch {
		case act.left == 0 || act.ready == span.Horizon || !q.Stages[k].Unit.Class.Fits(s):
		case q.begins(k) <= s.Free:
			return k, s.Free
		default:
			at = min(at, q.begins(k))
		}
	}
	return -1, at
}

// place runs a task of a stage on the seat.
func (p *Play) place(q *playedJob, k int, s *pool.Seat) {
	act, t := &q.stages[k], &q.Stages[k]
	now := s.Free
	if q.start == span.Horizon {
		q.start = now
	}
	chance := 1 + float64(t.Unit.Varies*variance.Deviation(p.take, q.Salt, k, act.left))
	end := p.seats.Take(&t.Unit.Class.Needs, t.Lead(), t.Unit.Curve, float64(t.Unit.MarginFactor*q.Slow(k)*chance))
	act.end, q.End = max(act.end, end), max(q.End, end)
	act.enter(end)
	q.enter(end)
	act.left--
	q.left--
	if act.left == 0 && q.open() {
		p.recall()
	}
	p.reconsider(now)
	if q.left == 0 && q.wanted {
		p.wanted--
	}
}

// recall brings the parked seats back: a stage is ready, or will be.
func (p *Play) recall() {
	p.seats = append(p.seats, p.parked...)
	p.parked = p.parked[:0]
	p.seats.Order()
}

// open finds when stages can begin of which that is known now, and reports
// whether there is any.
func (q *playedJob) open() bool {
	opened := false
	for k := range q.stages {
		if q.stages[k].ready == span.Horizon {
			q.stages[k].ready = q.after(k)
			opened = opened || q.stages[k].ready < span.Horizon
		}
	}
	return opened
}

// after is when all that a stage waits for is done.
func (q *playedJob) after(k int) (at span.Micros) {
	stage := &q.Shape.Stages[k]
	at = q.begin
	for _, earlier := range stage.After {
		at = max(at, q.done(earlier))
	}
	for i := range stage.From {
		at = max(at, q.done(stage.From[i].Stage))
	}
	return at
}

func (q *playedJob) done(k uint32) span.Micros {
	switch {
	case int64(k) >= int64(len(q.stages)):
		return 0
	case q.stages[k].left > 0 || q.stages[k].ready == span.Horizon:
		return span.Horizon
	}
	return q.stages[k].end
}
