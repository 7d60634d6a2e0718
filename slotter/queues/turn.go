package queues

import (
	"math"

	"lull/slotter/capacity"
)

// Divide finds each queue's share of the slots that batch could fill, from the
// demand that was counted, and brings the accounts up to now. Slots that are held
// count even if the pool offers fewer. borrow is the part of the others' shares
// that deadlines at risk may take. It reports whether several queues wait.
func (s *Set) Divide(now int64, slots int, borrow float64) (contest bool) {
	held, waiting := 0, 0
	claims := make([]capacity.Claim, len(s.byName))
	for i, q := range s.byName {
		held += q.Held
		if q.Waits > 0 {
			waiting++
		}
		claims[i] = capacity.Claim{Weight: q.Weight, Most: float64(q.Held + q.Waits)}
	}
	contest = waiting > 1
	all := float64(max(held, slots))
	seconds := 0.0
	if s.at != 0 {
		seconds = float64(max(now-s.at, 0)) / 1e9
	}
	s.at = now
	for i, fair := range capacity.Divide(all, claims) {
		s.byName[i].settle(seconds, fair, all, borrow, contest)
	}
	return contest
}

// settle notes the queue's share. As long as no other queue waits for slots, having
// more than one's share is no debt.
func (q *Queue) settle(seconds, fair, all, borrow float64, contest bool) {
	q.fair = fair
	q.borrow = fair + float64(max(borrow, 0)*(all-fair))
	if !contest {
		fair = float64(q.Held)
	}
	q.Slots.Advance(seconds, float64(q.Held), fair)
}

// repaySlots is the time over which a debt of slots is repaid, in seconds. Tasks are not
// taken off their slots, so it is the time of some tasks. With a tenth of it, queues of tasks of
// ten minutes would have one and a half times their shares in turn.
const repaySlots = 300

// Turn orders queues for the next slot, the lowest first: by what they hold, what
// they owe to others included, over their weight, in thousandths. Half of the next
// task is counted too, so that shares are met as nearly as whole slots can:
// Webster's method.
func (q *Queue) Turn() int64 {
	return int64(math.Floor((float64(q.Held)+0.5+q.Slots.Owes(repaySlots))/q.Weight*1000 + 0.5))
}

// MayBorrow reports whether a deadline at risk may take a slot out of the queue's turn.
func (q *Queue) MayBorrow() bool { return float64(q.Held) < q.borrow }

// Borrowable is the number of slots that deadlines at risk may still take,
// negative if they have too many.
func (q *Queue) Borrowable() int { return int(q.borrow - float64(q.Held)) }

// Lacks is the number of slots that the queue holds below its share, negative for
// what it holds beyond.
func (q *Queue) Lacks() int { return int(q.fair) - q.Held }

// MayYield reports whether the queue still has what it must without so many slots, beside those
// that it yields already. It must have its share, less the part that it lends to others.
func (q *Queue) MayYield(slots int, lends float64) bool {
	return float64(q.Held-q.Yields-slots) >= q.fair*(1-lends)
}
