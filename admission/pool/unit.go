package pool

import (
	"sort"

	"lull/admission/span"
	"lull/subjects/tct"
)

// Unit is the cost of one task that follows a curve, on the slots of a class. Jobs of the same type
// share it. So a job's prediction is a few multiplications, and a change of the pool costs a sum
// over slots for each unit, not for each job.
type Unit struct {
	Class *Class
	Curve *tct.Curve

	Mean         float64 // seconds a task takes on average over the slots
	each         float64 // seconds for which it keeps all slots of the class
	cost         float64 // slot time that it takes from the pool, in µs
	waves        []wave
	BestSeconds  float64 // seconds of a task on the best slot
	worst        float64 // and on the worst that counts: see line
	MarginFactor float64 // 1 + margin
	pool         int     // slots of the pool
	// Varies is the standard deviation of a task's time, as a share of it.
	Varies float64
}

// wave is how many of the best slots there are down to a residual, and a
// task's time on the worst of them.
type wave struct {
	slots   int
	seconds float64
}

type unitKey struct {
	class *Class
	curve *tct.Curve
}

func (cs *costs) unit(c *Class, curve *tct.Curve) *Unit {
	key := unitKey{c, curve}
	u := cs.units[key]
	if u == nil {
		u = &Unit{Class: c, Curve: curve}
		u.weigh(cs.supply.Slots, cs.Margin())
		cs.units[key] = u
	}
	return u
}

// weigh reckons a task by equation 6: the average over the slots, over the
// slots that work at once. What few slots can do keeps the others too: as if
// the whole pool worked at the class's pace.
func (u *Unit) weigh(pool int, margin float64) {
	u.each = u.Class.Slots.Work(1, u.Curve)
	u.Mean = u.each * float64(u.Class.Slots.Usable())
	u.price(pool, margin)
	u.line()
}

// price takes in another number of the pool's slots and another margin. It is all of weigh
// while the class's own slots are the same, which they are at most looks.
func (u *Unit) price(pool int, margin float64) {
	u.MarginFactor, u.pool = 1+margin, pool
	u.cost = u.each * float64(pool) * u.MarginFactor * 1e6
	if u.Class.Slots.Usable() == 0 {
		u.cost = float64(span.Endless)
	}
}

// line orders the slots by residual, best first. The worst slots count as long as one task in a
// hundred or more goes there. Slots take tasks in proportion to their rates, so those of R = 0.05
// take a twentieth of their number's part.
func (u *Unit) line() {
	u.waves, u.BestSeconds, u.worst = u.waves[:0], 0, 0
	most := 0.99 * u.Class.Slots.Completable(1, u.Curve)
	slots, rate, worst := 0, 0.0, 0.0
	for step := tct.Steps; step >= 0; step-- {
		n := u.Class.steps[step]
		if n == 0 {
			continue
		}
		seconds := u.Curve.Seconds(float64(step) / tct.Steps)
		if slots == 0 || seconds < u.BestSeconds {
			u.BestSeconds = seconds
		}
		if rate <= most {
			u.worst = max(u.worst, seconds)
		}
		rate += float64(float64(n) / seconds)
		slots, worst = slots+n, max(worst, seconds)
		u.waves = append(u.waves, wave{slots, worst})
	}
}

// floor returns the least time of so many whole tasks: as many waves as the slots make of them,
// each at the best residual, plus one task on the worst slot that the first wave fills. A free slot
// is given away, not kept until a better one is free. It is tct.Slots.JCT's, without the walk over
// all residuals.
func (u *Unit) floor(tasks int) float64 {
	switch {
	case tasks == 0:
		return 0
	case len(u.waves) == 0:
		return float64(span.Horizon)
	}
	last := len(u.waves) - 1
	waves := (tasks-1)/u.waves[last].slots + 1
	at := sort.Search(last, func(i int) bool { return u.waves[i].slots >= tasks })
	return max(float64(waves)*u.BestSeconds, u.waves[at].seconds)
}

// JCT is how long so many tasks take when nothing is before them, in seconds:
// equation 6, but no less than the floor.
func (u *Unit) JCT(tasks int) float64 {
	return u.MarginFactor * max(float64(tasks)*u.each, u.floor(tasks))
}

// rounds is the number of times that the class's slots are filled by so many tasks.
func (u *Unit) rounds(tasks int) int {
	if tasks == 0 || len(u.waves) == 0 {
		return 0
	}
	return (tasks-1)/u.waves[len(u.waves)-1].slots + 1
}

// keeps is the slot time, in µs, that a task takes from the pool while it keeps its slot for so many
// seconds, beyond what its process takes.
func (u *Unit) keeps(seconds float64) float64 {
	if seconds <= 0 || u.Class.Slots.Usable() == 0 {
		return 0
	}
	return seconds / float64(u.Class.Slots.Usable()) * float64(u.pool) * u.MarginFactor * 1e6
}
