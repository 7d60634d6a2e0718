package tct

import "math"

// Slots counts slots by their residual. The zero value holds none.
type Slots struct {
	count  [Steps + 1]int
	usable int
}

// Add counts n more slots with residual r. It leaves out those below MinResidual. One slot with
// next to no residual would dominate the average of equation 6, while no task is even started on
// it.
func (s *Slots) Add(r float64, n int) {
	if r >= MinResidual && n > 0 {
		s.count[Step(r)] += n
		s.usable += n
	}
}

// Usable is the number of slots that count.
func (s *Slots) Usable() int { return s.usable }

// Completable is the number of tasks, with fractions, that the slots complete
// within so many seconds (equation 3). A job is on track when that is at least
// the number of its remaining tasks.
func (s *Slots) Completable(seconds float64, c *Curve) float64 {
	rate := 0.0
	for i, n := range s.count {
		rate += float64(n) / float64(c.seconds[i])
	}
	return rate * max(seconds, 0)
}

// JCT predicts the seconds until remaining tasks are done if the job has all slots (equation 6):
// the tasks times the average TCT over the slots that work at once. By Jensen's inequality it is
// never below Rate. For few tasks on many slots the equation goes to zero, so two lower bounds
// apply: see floor. The result is in whole milliseconds, rounded up; +Inf if no slot is usable.
func (s *Slots) JCT(remaining int, c *Curve) float64 {
	return s.predict(remaining, c, func() float64 { return s.Work(remaining, c) })
}

// Work is equation 6 without the floors: the seconds for which the tasks take
// all slots from the jobs behind them. The floors do not add up over jobs,
// because a job that waits for its last task leaves the other slots free.
// 0 if no slot is usable.
func (s *Slots) Work(remaining int, c *Curve) float64 {
	if s.usable == 0 || remaining <= 0 {
		return 0
	}
	sum := 0.0
	for i, n := range s.count {
		sum += float64(float64(n) * float64(c.seconds[i]))
	}
	n := float64(s.usable)
	return float64(remaining) * sum / (n * n)
}

// Rate predicts like JCT by the sum of the slots' rates: each slot takes the next task when it has
// finished one, n / Σ 1/TCT(R_i). It has no margin.
func (s *Slots) Rate(remaining int, c *Curve) float64 {
	return s.predict(remaining, c, func() float64 {
		return float64(remaining) / s.Completable(1, c)
	})
}

func (s *Slots) predict(remaining int, c *Curve, seconds func() float64) float64 {
	switch {
	case remaining <= 0:
		return 0
	case s.usable == 0:
		return math.Inf(1)
	}
	return ceilMillis(max(seconds(), s.floor(remaining, c)))
}

// ceilMillis rounds up to milliseconds, but not for what a sum may be off by.
func ceilMillis(seconds float64) float64 {
	return math.Ceil(seconds*1000*(1-1e-12)) / 1000
}

// floor returns the least time that whole tasks need: as many waves as the slots make of them, each
// at the best residual, plus one task on the worst slot that the first wave fills. A free slot is
// given away, not kept until a better one is free.
func (s *Slots) floor(remaining int, c *Curve) float64 {
	waves := (remaining-1)/s.usable + 1
	best, worst, filled := math.Inf(1), 0.0, 0
	for i := Steps; i >= 0 && filled < remaining; i-- {
		if s.count[i] == 0 {
			continue
		}
		seconds := float64(c.seconds[i])
		best, worst = min(best, seconds), max(worst, seconds)
		filled += s.count[i]
	}
	return max(float64(waves)*best, worst)
}
