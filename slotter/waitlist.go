package slotter

import (
	"lull/slotter/learning"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// waitlist holds the tasks that may start in a round, in their lines.
type waitlist struct {
	*facts
	models  *learning.Models
	placing *placing
	works   workPool
	ready   []*line // with a task left
	contest bool    // tasks of several queues wait
}

// begin forgets the last round's tasks.
func (x *waitlist) begin() { x.ready, x.contest = x.ready[:0], false }

// gather lines up the tasks that may start now.
func (x *waitlist) gather() {
	x.rounds++
	x.backoff, x.works.used = 0, 0
	x.jobs.yieldOverdue(x.now)
	for _, j := range x.jobs.bySeq {
		j.planned, j.works = 0, j.works[:0]
		x.updateProgress(j)
		for i := range j.stages {
			if j.stages[i].probe != nil {
				x.countFlights(&j.stages[i], x.models) // also those of a job that is about to fail
			}
		}
		if _, dead := j.life.Dead(); dead || !j.admitted || waitsForSteering(x.facts, j.life) || x.placing.waits(j.life) {
			continue
		}
		for i, st := range j.life.Stages {
			if j.life.Tryable(i) > 0 && j.life.Ready(i) {
				x.join(j, i, st)
			}
		}
	}
	for _, j := range x.jobs.byDeadline {
		for _, w := range j.works {
			w.group.line.urgent = append(w.group.line.urgent, w)
		}
	}
}

// join adds a stage's work to its line, if a task of it may start now.
func (x *waitlist) join(j *job, i int, life *ledger.Stage) {
	if at := life.Wake(x.now); at != 0 && (x.backoff == 0 || at < x.backoff) {
		x.backoff = at
	}
	g := x.group(j, i)
	w := x.works.takeWork()
	*w = work{job: j, stage: i, life: life, curve: g.curve, group: g, most: j.life.Tryable(i)}
	if w.advance(x.now); w.dry {
		return
	}
	if g.line.round != x.rounds {
		g.line.begin(x.rounds)
		x.ready = append(x.ready, g.line)
	}
	g.join(w, x.rounds)
	if j.stages[i].probe != nil {
		g.line.unknown = append(g.line.unknown, w)
	}
	if x.now-j.served > starving {
		g.line.starving = append(g.line.starving, w)
	}
	j.works = append(j.works, w)
}

// group is where the stage's tasks wait. Tasks that publish wait for the host on which
// the output's path is, as long as that host is there.
func (x *waitlist) group(j *job, i int) *group {
	st := &j.life.Shape.Stages[i]
	if st.Publish && j.life.Shape.Origin != "" {
		if label := "host=" + j.life.Shape.Origin; x.hosts.anyOpen(label) {
			return x.lines.at(j.queue, st, limits{where: withLabel(st, label), absent: x.absent.Of(j.life.ID, i)}, j.stages[i].curve)
		}
	}
	absent, fence, placed := x.absent.Of(j.life.ID, i), fenceOf(x.facts, j.life, st), x.placing.hostsOf(j, st)
	if absent != nil || fence != nil || placed != nil {
		return x.lines.at(j.queue, st, limits{where: st.Where, absent: absent, fence: fence, placed: placed}, j.stages[i].curve)
	}
	return j.stages[i].group
}

func withLabel(st *spec.Stage, label string) []string {
	return append(append(make([]string, 0, len(st.Where)+1), st.Where...), label)
}

// workPool reuses the works of earlier rounds.
type workPool struct {
	all  []*work
	used int
}

func (p *workPool) takeWork() *work {
	if p.used == len(p.all) {
		p.all = append(p.all, new(work))
	}
	p.used++
	return p.all[p.used-1]
}

// newWaitlist returns a waitlist without tasks.
func newWaitlist(f *facts, m *learning.Models, p *placing) *waitlist {
	return &waitlist{facts: f, models: m, placing: p}
}
