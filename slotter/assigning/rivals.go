package assigning

import (
	"cmp"
	"math"
	"slices"
	"time"

	"lull/slotter/batch"
	"lull/slotter/facts"
	"lull/slotter/policy"
	"lull/subjects"
	"lull/subjects/tct"
)

const (
	// rivalEvery is how often stragglers are looked for while slots are free.
	rivalEvery = int64(time.Second)
	// rivalGain is how many times longer than a fresh attempt elsewhere a
	// running one must need until its end. Both are predictions, and those that
	// err by a fifth should not make two tasks of one.
	rivalGain = 1.25
	// rivalLeast is the least time that a rival must be predicted to save, in
	// seconds.
	rivalLeast = 1.0
)

// rivals gives slots that no task waits for to second attempts of stragglers.
type rivals struct {
	*policy.View
	lagging []straggler   // of the current round
	spare   []*facts.Host // for rivals
}

// decide gives slots that no task waits for to second attempts of tasks that are
// predicted to end later than a fresh one would. The longest to go come first.
func (x *rivals) decide(b *batch.Batch) {
	if x.Config.Rivals < 0 {
		return
	}
	x.lagging, x.spare = x.lagging[:0], x.spare[:0]
	if !x.stragglers() {
		return
	}
	x.DecideAt(x.Now + rivalEvery)
	if len(b.Events) > 0 || len(x.lagging) == 0 {
		return // the decisions of this batch may end the attempts that run
	}
	all := x.lagging
	slices.SortFunc(all, func(s, t straggler) int {
		return cmp.Or(cmp.Compare(t.toGo, s.toGo), cmp.Compare(s.attempt.Life.ID, t.attempt.Life.ID))
	})
	free := x.idleHosts()
	for _, s := range all {
		if len(free) == 0 || b.Room() == 0 {
			return
		}
		if x.mayHaveRival(s) {
			free = x.addRival(b, s, free)
		}
	}
}

// idleHosts lists the hosts with a free slot that no waiting task could have, the
// best first.
func (x *rivals) idleHosts() []*facts.Host {
	x.spare = x.BestFirst(x.spare, func(h *facts.Host) bool { return !x.awaited(h) })
	return x.spare
}

// awaited reports whether a task waits that the host could run if nothing else
// ran there.
func (x *rivals) awaited(h *facts.Host) bool {
	return slices.ContainsFunc(x.Ready, func(l *facts.Line) bool {
		return facts.Head(l.Works, &l.Front) != nil && h.CouldFit(l)
	})
}

// mayHaveRival reports whether the task has no rival yet, and its job not too
// many.
func (x *rivals) mayHaveRival(s straggler) bool {
	j, at := s.attempt.Job, s.attempt.Life
	if j.Life.Stages[at.Task.Stage].Rival(at.Task.Task) != nil || facts.Spare(j, int(at.Task.Stage)) == 0 {
		return false
	}
	if j.Round != x.Rounds {
		j.Round, j.Rivals = x.Rounds, 0
		for _, st := range j.Life.Stages {
			j.Rivals += st.Rivals()
		}
	}
	return j.Rivals < max(1, int(x.Config.Rivals*float64(j.Life.Held())))
}

// addRival gives the task to the best free host, if that is predicted to be done
// the sooner, and returns what is still free.
func (x *rivals) addRival(b *batch.Batch, s straggler, free []*facts.Host) []*facts.Host {
	l := x.Group(s.attempt.Job, int(s.attempt.Life.Task.Stage)).Line
	at := slices.IndexFunc(free, func(h *facts.Host) bool { return h != s.host && h.Fits(l) })
	if at < 0 {
		return free
	}
	h, w := free[at], x.workOf(s)
	residual := facts.ResidualAt(tct.Step(h.Residual(l.EmptySlotsNeeded(h))))
	fresh := w.Curve.Seconds(residual)
	if !s.beatenBy(fresh) || x.Saturated(w, residual) {
		return free
	}
	e := &subjects.Assigned{}
	fillAssignment(x.View, e, h, w, policy.Pick{Work: w, Rule: subjects.RuleRival, Gain: math.Round(min(s.toGo-fresh, facts.MaxSlack)*1e3) / 1e3})
	e.Rival = true
	x.PlanReads(w, residual)
	w.Job.Rivals++
	facts.PlanRunning(w.Job, w.Stage)
	b.Add(e)
	if h.Free() == 0 {
		free = slices.Delete(free, at, at+1)
	}
	return free
}

// workOf is the straggler's task as if it waited.
func (x *rivals) workOf(s straggler) *facts.Work {
	j, id := s.attempt.Job, s.attempt.Life.Task
	g := x.Group(j, int(id.Stage))
	return &facts.Work{Job: j, Stage: int(id.Stage), Life: j.Life.Stages[id.Stage], Curve: g.Curve, Group: g, Task: id.Task}
}
