package predict

import "math"

// place gives free slots to tasks, in the slotter's order (package slotter/places): by the residual of a
// host's next slot, in hundredths; among equals the hosts in turn, in their order. Of one job's
// stages the first goes first.
func (p *Predictor) place() {
	p.free = false
	for i := range p.groups {
		p.groups[i].turn, p.groups[i].fresh = 0, -1
	}
	for {
		s := p.nextStage()
		if s == nil {
			return
		}
		at := p.best()
		if at < 0 {
			return
		}
		n := s.room()
		if s.single {
			n = 1
		}
		if n < p.groups[at].hosts {
			p.split(at, n)
		}
		p.giveSlots(s, at)
	}
}

// best is the group whose hosts have the best next slot, -1 if none has any.
func (p *Predictor) best() int {
	at := -1
	for i := range p.groups {
		g := &p.groups[i]
		if g.step < 0 {
			continue
		}
		if at < 0 || g.before(&p.groups[at]) {
			at = i
		}
	}
	return at
}

func (g *group) before(o *group) bool {
	if g.step != o.step {
		return g.step > o.step
	}
	if g.turn != o.turn {
		return g.turn < o.turn
	}
	return g.first < o.first
}

// giveSlots gives one task of the stage to each host of the group.
func (p *Predictor) giveSlots(s *stage, at int) {
	g := &p.groups[at]
	number := s.Tasks - s.queue
	s.queue -= g.hosts
	g.busy++
	p.crowds = true
	g.turn++
	g.next()
	if !s.single && g.fresh >= 0 && p.cohorts[g.fresh].stage == int32(s.index) {
		p.cohorts[g.fresh].tasks++
		return
	}
	g.fresh = p.add(cohort{stage: int32(s.index), group: int32(at), number: number, tasks: 1, phase: starts, since: p.now, ends: math.Inf(1)})
	p.started = true
}
