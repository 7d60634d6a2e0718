package queues

import (
	"math"

	"lull/slotter/capacity"
)

// Divide computes each queue's share of the slots that batch work could fill, from
// the demand that was counted in this round, and brings the accounts up to now. If the
// pool offers fewer slots than are held, the held ones are shared. borrow is the part of
// the other queues' shares that a queue with deadlines at risk may use. contest reports
// whether several queues wait for slots.
func (s *Set) Divide(now int64, slots int, borrow float64) (contest bool) {
	held, waiting := 0, 0
	claims := make([]capacity.Claim, len(s.byName))
	for i, q := range s.byName {
		held += q.HeldSlots
		if q.WaitingSlots > 0 {
			waiting++
		}
		claims[i] = capacity.Claim{Weight: q.Weight, Most: float64(q.HeldSlots + q.WaitingSlots)}
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

// settle notes the queue's share, and how far it held more or less than that. Without
// contest, holding more than the share makes no debt.
func (q *Queue) settle(seconds, fair, all, borrow float64, contest bool) {
	q.fair = fair
	q.borrow = fair + float64(max(borrow, 0)*(all-fair))
	if !contest {
		fair = float64(q.HeldSlots)
	}
	q.Slots.Advance(seconds, float64(q.HeldSlots), fair)
}

// repaySlots is the time over which a debt of slots is repaid, in seconds. A debt is repaid only as
// tasks end, so this must be as long as typical tasks. With a tenth of it, queues with tasks of ten
// minutes would alternate at one and a half times their shares.
const repaySlots = 300

// Turn orders queues for the next slot: the queue with the lowest value gets it. The value is the
// number of slots that the queue holds and owes to others, divided by its weight, in thousandths. Half a
// slot is added before the division, so that whole slots meet the shares as nearly as possible
// (Webster's method).
func (q *Queue) Turn() int64 {
	return int64(math.Floor((float64(q.HeldSlots)+0.5+q.Slots.Repayment(repaySlots))/q.Weight*1000 + 0.5))
}

// MayBorrow reports whether a job of the queue with a deadline at risk may take a slot before it is the
// queue's turn.
func (q *Queue) MayBorrow() bool { return float64(q.HeldSlots) < q.borrow }

// Borrowable returns how many more slots the queue may hold for deadlines at risk, negative if it
// holds too many.
func (q *Queue) Borrowable() int { return int(q.borrow - float64(q.HeldSlots)) }

// Lacks returns how many slots fewer than its share the queue holds, negative if it holds
// more.
func (q *Queue) Lacks() int { return int(q.fair) - q.HeldSlots }

// MayYield reports whether the queue can give up so many slots, in addition to those that it is giving
// up already, and keep its share less the part (0 to 1) that it lends to others.
func (q *Queue) MayYield(slots int, lends float64) bool {
	return float64(q.HeldSlots-q.YieldingSlots-slots) >= q.fair*(1-lends)
}
