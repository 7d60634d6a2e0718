// Package waitlist lines up the tasks that may start in a round of assignments, in an order that follows the
// weights and limits of their queues.
package waitlist

import (
	"lull/slotter/facts"
	"lull/slotter/learning"
	"lull/slotter/placing"
	"lull/slotter/tenants"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// Waitlist holds the tasks that may start in a round, in their lines.
type Waitlist struct {
	*facts.Facts
	Models  *learning.Models
	placing *placing.Placing
	works   workPool
	Ready   []*facts.Line // with a task left
	Contest bool          // tasks of several queues wait
}

// Begin forgets the last round's tasks.
func (x *Waitlist) Begin() { x.Ready, x.Contest = x.Ready[:0], false }

// Gather lines up the tasks that may start now.
func (x *Waitlist) Gather() {
	x.Rounds++
	x.Backoff, x.works.used = 0, 0
	x.Jobs.DropPassedDeadlines(x.Now)
	for _, j := range x.Jobs.BySeq {
		j.Planned, j.Works = 0, j.Works[:0]
		x.UpdateProgress(j)
		for i := range j.Stages {
			if j.Stages[i].Probe != nil {
				x.CountFlights(&j.Stages[i], x.Models) // also those of a job that is about to fail
			}
		}
		if _, dead := j.Life.Dead(); dead || !j.Admitted || tenants.AwaitsSteering(x.Facts, j.Life) || x.placing.AwaitsPlacement(j.Life) {
			continue
		}
		for i, st := range j.Life.Stages {
			if facts.Tryable(j, i) > 0 && j.Life.Ready(i) {
				x.join(j, i, st)
			}
		}
	}
	for _, j := range x.Jobs.ByDeadline {
		for _, w := range j.Works {
			w.Group.Line.Urgent = append(w.Group.Line.Urgent, w)
		}
	}
}

// join adds a stage's work to its line, if a task of it may start now.
func (x *Waitlist) join(j *facts.Job, i int, life *ledger.Stage) {
	if at := life.Wake(x.Now); at != 0 && (x.Backoff == 0 || at < x.Backoff) {
		x.Backoff = at
	}
	g := x.Group(j, i)
	w := x.works.takeWork()
	*w = facts.Work{Job: j, Stage: i, Life: life, Curve: g.Curve, Group: g, Most: facts.Tryable(j, i)}
	if w.Advance(x.Now); w.Dry {
		return
	}
	if g.Line.Round != x.Rounds {
		g.Line.Begin(x.Rounds)
		x.Ready = append(x.Ready, g.Line)
	}
	g.Join(w, x.Rounds)
	if j.Stages[i].Probe != nil {
		g.Line.Unknown = append(g.Line.Unknown, w)
	}
	if x.Now-j.Served > facts.Starving {
		g.Line.Starving = append(g.Line.Starving, w)
	}
	j.Works = append(j.Works, w)
}

// Group is where the stage's tasks wait. Tasks that publish wait for the host on which
// the output's path is, as long as that host is there.
func (x *Waitlist) Group(j *facts.Job, i int) *facts.Group {
	st := &j.Life.Shape.Stages[i]
	if st.Publish && j.Life.Shape.Origin != "" {
		if label := "host=" + j.Life.Shape.Origin; x.Hosts.AnyOpen(label) {
			return x.Lines.GroupFor(j.Queue, st, facts.Limits{Where: withLabel(st, label), Absent: x.Absent.Of(j.Life.ID, i)}, j.Stages[i].Curve)
		}
	}
	absent, fence, placed := x.Absent.Of(j.Life.ID, i), tenants.Fence(x.Facts, j.Life, st), x.placing.HostsOf(j, st)
	if absent != nil || fence != nil || placed != nil {
		return x.Lines.GroupFor(j.Queue, st, facts.Limits{Where: st.Where, Absent: absent, Fence: fence, Placed: placed}, j.Stages[i].Curve)
	}
	return j.Stages[i].Group
}

func withLabel(st *spec.Stage, label string) []string {
	return append(append(make([]string, 0, len(st.Where)+1), st.Where...), label)
}

// workPool reuses the works of earlier rounds.
type workPool struct {
	all  []*facts.Work
	used int
}

func (p *workPool) takeWork() *facts.Work {
	if p.used == len(p.all) {
		p.all = append(p.all, new(facts.Work))
	}
	p.used++
	return p.all[p.used-1]
}

// New returns a waitlist without tasks.
func New(f *facts.Facts, m *learning.Models, p *placing.Placing) *Waitlist {
	return &Waitlist{Facts: f, Models: m, placing: p}
}
