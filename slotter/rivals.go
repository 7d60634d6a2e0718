package slotter

import (
	"cmp"
	"math"
	"slices"
	"time"

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
	*view
	lagging []straggler // of the current round
	spare   []*host     // for rivals
}

// decide gives slots that no task waits for to second attempts of tasks that are
// predicted to end later than a fresh one would. The longest to go come first.
func (x *rivals) decide(b *batch) {
	if x.cfg.Rivals < 0 {
		return
	}
	x.lagging, x.spare = x.lagging[:0], x.spare[:0]
	if !x.stragglers() {
		return
	}
	x.decideAt(x.now + rivalEvery)
	if len(b.events) > 0 || len(x.lagging) == 0 {
		return // the decisions of this batch may end the attempts that run
	}
	all := x.lagging
	slices.SortFunc(all, func(s, t straggler) int {
		return cmp.Or(cmp.Compare(t.toGo, s.toGo), cmp.Compare(s.attempt.life.ID, t.attempt.life.ID))
	})
	free := x.idleHosts()
	for _, s := range all {
		if len(free) == 0 || b.room() == 0 {
			return
		}
		if x.mayHaveRival(s) {
			free = x.addRival(b, s, free)
		}
	}
}

// idleHosts lists the hosts with a free slot that no waiting task could have, the
// best first.
func (x *rivals) idleHosts() []*host {
	x.spare = x.bestFirst(x.spare, func(h *host) bool { return !x.awaited(h) })
	return x.spare
}

// awaited reports whether a task waits that the host could run if nothing else
// ran there.
func (x *rivals) awaited(h *host) bool {
	return slices.ContainsFunc(x.ready, func(l *line) bool {
		return head(l.works, &l.front) != nil && h.couldFit(l)
	})
}

// mayHaveRival reports whether the task has no rival yet, and its job not too
// many.
func (x *rivals) mayHaveRival(s straggler) bool {
	j, at := s.attempt.job, s.attempt.life
	if j.life.Stages[at.Task.Stage].Rival(at.Task.Task) != nil {
		return false
	}
	if j.round != x.rounds {
		j.round, j.rivals = x.rounds, 0
		for _, st := range j.life.Stages {
			j.rivals += st.Rivals()
		}
	}
	return j.rivals < max(1, int(x.cfg.Rivals*float64(j.life.Held())))
}

// addRival gives the task to the best free host, if that is predicted to be done
// the sooner, and returns what is still free.
func (x *rivals) addRival(b *batch, s straggler, free []*host) []*host {
	l := x.group(s.attempt.job, int(s.attempt.life.Task.Stage)).line
	at := slices.IndexFunc(free, func(h *host) bool { return h != s.host && h.fits(l) })
	if at < 0 {
		return free
	}
	h, w := free[at], x.workOf(s)
	residual := residualAt(tct.Step(h.residual(l.cpu)))
	fresh := w.curve.Seconds(residual)
	if !s.beatenBy(fresh) || x.saturated(w, residual) {
		return free
	}
	e := &subjects.Assigned{}
	fillAssignment(x.view, e, h, w, pick{work: w, rule: subjects.RuleRival, gain: math.Round(min(s.toGo-fresh, maxSlack)*1e3) / 1e3})
	e.Rival = true
	x.planReads(w, residual)
	w.job.rivals++
	b.add(e)
	if h.free() == 0 {
		free = slices.Delete(free, at, at+1)
	}
	return free
}

// workOf is the straggler's task as if it waited.
func (x *rivals) workOf(s straggler) *work {
	j, id := s.attempt.job, s.attempt.life.Task
	g := x.group(j, int(id.Stage))
	return &work{job: j, stage: int(id.Stage), life: j.life.Stages[id.Stage], curve: g.curve, group: g, task: id.Task}
}
