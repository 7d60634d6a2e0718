package slotter

import (
	"cmp"
	"math"

	"lull/slotter/capacity"
)

// weighTurns finds out how far each queue is from its share of the slots, and
// whether several wait for them. With one queue alone there is nothing to find.
func (r *round) weighTurns() {
	s := &r.a.queues
	if len(s.byName) < 2 {
		return
	}
	waiting, all := r.countSlots()
	r.contest = waiting > 1
	claims := make([]capacity.Claim, len(s.byName))
	for i, q := range s.byName {
		claims[i] = capacity.Claim{Weight: q.weight, Most: float64(q.held + q.waits)}
	}
	seconds := 0.0
	if s.at != 0 {
		seconds = float64(max(r.now-s.at, 0)) / 1e9
	}
	s.at = r.now
	for i, fair := range capacity.Divide(all, claims) {
		s.byName[i].settle(seconds, fair, all, r.a.cfg.Borrow, r.contest)
	}
}

// settle notes the queue's share. As long as nobody else waits for slots, having
// more than one's share is no debt.
func (q *queue) settle(seconds, fair, all, borrow float64, contest bool) {
	q.fair = fair
	q.borrow = fair + float64(max(borrow, 0)*(all-fair))
	if !contest {
		fair = float64(q.held)
	}
	q.slots.Advance(seconds, float64(q.held), fair)
}

// countSlots counts what each queue holds and waits for. It returns how many
// queues wait, and the slots that batch could fill, at least those that it does.
func (r *round) countSlots() (waiting int, all float64) {
	for _, q := range r.a.queues.byName {
		q.held, q.waits = 0, 0
	}
	for _, j := range r.a.jobs.bySeq {
		j.count()
	}
	held := 0
	for _, q := range r.a.queues.byName {
		held += q.held
		if q.waits > 0 {
			waiting++
		}
	}
	return waiting, float64(max(held, r.a.supply.all))
}

// count adds up what the job holds and, if it may have tasks, waits for.
func (j *job) count() {
	for i, st := range j.life.Stages {
		width := int(j.life.Shape.Stages[i].CPU)
		j.queue.held += st.Held * width
		if n := st.Waiting(); n > 0 && j.admitted && j.life.Ready(i) {
			j.queue.waits += n * width
		}
	}
}

// prefers reports whether one line's claim to a slot goes before another's.
// Within a queue the policy decides. Between queues a deadline at risk goes
// first, up to a part of what the others' shares are; then who has the least of
// his share.
func (r *round) prefers(p, q pick) bool {
	a, b := p.work.job.queue, q.work.job.queue
	if !r.contest || a == b {
		return p.before(q)
	}
	urgent, other := p.jumps(), q.jumps()
	switch {
	case urgent != other:
		return urgent
	case urgent:
		return p.before(q)
	}
	return cmp.Or(cmp.Compare(a.turn(), b.turn()), cmp.Compare(a.name, b.name)) < 0
}

// jumps reports whether the claim is served out of its queue's turn.
func (p *pick) jumps() bool {
	q := p.work.job.queue
	return p.urgent && float64(q.held) < q.borrow
}

// repaySlots is the time over which slots are made up for, in seconds: as tasks
// are not taken off them, some tasks' time. With a tenth of it, queues of tasks of
// ten minutes would have one and a half times their shares in turn.
const repaySlots = 300

// turn orders queues for the next slot: by what they hold, what they owe to
// others included, over their weight, in thousandths. Half of the next task is
// counted too, so that shares are met as nearly as whole slots can: Webster's
// method.
func (q *queue) turn() int64 {
	return int64(math.Floor((float64(q.held)+0.5+q.slots.Owes(repaySlots))/q.weight*1000 + 0.5))
}
