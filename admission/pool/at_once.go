package pool

import "lull/subjects/spec"

// atOnce is how many of a stage's tasks that are left may run at once.
func (l *Load) atOnce(i int) int {
	if !spec.BoundsAtOnce(l.Shape) {
		return l.Stages[i].Left
	}
	return min(l.Stages[i].Left, int(spec.MostAtOnce(l.Shape, i)))
}

// turns is how long a stage takes by its own at_once, in seconds, 0 if it has none: its tasks on average slots, as many
// times as it takes to have all of them run. Those that run already keep their turns for as long as others.
func (l *Load) turns(i int) float64 {
	most, t := int(l.Shape.Stages[i].AtOnce), &l.Stages[i]
	if most == 0 || t.Left == 0 {
		return 0
	}
	return float64((t.Left+t.runs-1)/most+1) * l.each(i)
}

// inTurn is how long the job takes by its at_once over all stages, in seconds, 0 if it has none.
func (l *Load) inTurn() (seconds float64) {
	if l.Shape.AtOnce == 0 {
		return 0
	}
	for i := range l.Stages {
		if t := &l.Stages[i]; t.Left > 0 {
			seconds += float64(float64(t.Left+t.runs) * l.each(i))
		}
	}
	return seconds / float64(l.Shape.AtOnce)
}

// each is how long a task of a stage takes on an average slot, in seconds.
func (l *Load) each(i int) float64 {
	t := &l.Stages[i]
	return float64(t.Unit.MarginFactor * (float64(t.Unit.Mean*l.Slow(i)) + t.Fetch.seconds))
}
