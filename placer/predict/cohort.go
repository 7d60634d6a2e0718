package predict

import "math"

// cohort is the tasks of one stage that started together on a group's hosts.
type cohort struct {
	stage, group int32
	number       int // of its first task
	tasks        int // of each host
	phase        phase
	pulls        int   // that it waits for
	next, end    int32 // in queue: those that it has yet to begin
	since        float64
	left         float64 // share of the run that is left at since
	rate         float64 // of it a second; 0 if not known yet
	residual     float64
	ends         float64 // +Inf while it does not run
}

type phase uint8

const (
	gone phase = iota
	starts
	fetches
	runs
)

func (c *cohort) live() bool { return c.phase != gone }

// add adds a cohort in the place of one that is gone, or a new one.
func (p *Predictor) add(c cohort) int32 {
	if n := len(p.vacant); n > 0 {
		i := p.vacant[n-1]
		p.vacant = p.vacant[:n-1]
		p.cohorts[i] = c
		return i
	}
	p.cohorts = append(p.cohorts, c)
	return int32(len(p.cohorts) - 1)
}

// start has those fetch that were given a slot in this round, or run if all is on their host.
func (p *Predictor) start() {
	for i := range p.cohorts {
		if c := &p.cohorts[i]; c.phase == starts {
			p.groups[c.group].fetching += c.tasks
		}
	}
	for i := range p.cohorts {
		c := &p.cohorts[i]
		if c.phase != starts {
			continue
		}
		c.phase = fetches
		if p.pull(int32(i)); c.pulls == 0 {
			p.run(int32(i))
		}
	}
	p.started = false
}

// run begins the run of a cohort whose tasks have all that they read.
func (p *Predictor) run(of int32) {
	c := &p.cohorts[of]
	lasted := (p.now - c.since) * float64(c.tasks*p.groups[c.group].hosts)
	p.result.Fetching += lasted
	p.result.Held += lasted
	p.groups[c.group].fetching -= c.tasks
	c.phase, c.since, c.left, c.rate = runs, p.now, 1, 0
	p.begun = append(p.begun, of)
}

// pace computes the rates of tasks that begin to run, and of those whose neighbours changed.
func (p *Predictor) pace() {
	if p.crowds {
		p.paceCrowds()
	}
	for _, i := range p.begun {
		c := &p.cohorts[i]
		p.paceCohort(c)
		p.ends = min(p.ends, c.ends)
	}
	p.begun = p.begun[:0]
}

// paceCrowds computes the rates of tasks whose neighbours changed, and when the next run ends.
func (p *Predictor) paceCrowds() {
	p.crowds = false
	p.ends = math.Inf(1)
	for i := range p.cohorts {
		c := &p.cohorts[i]
		if g := &p.groups[c.group]; g.rated != g.busy && c.phase == runs && c.rate > 0 {
			p.paceCohort(c)
		}
		if c.ends < p.ends {
			p.ends = c.ends
		}
	}
	for i := range p.groups {
		p.groups[i].rated = p.groups[i].busy
	}
}

// paceCohort computes the rate of a cohort that runs, and when it ends.
func (p *Predictor) paceCohort(c *cohort) {
	if c.rate > 0 {
		c.left -= float64(p.settle(c) * c.rate)
	}
	g, s := &p.groups[c.group], &p.stages[c.stage]
	c.residual = g.residual()
	seconds := s.Curve.Seconds(c.residual)
	if g.disk > 0 {
		seconds = max(seconds, s.moved*float64(g.busy)/g.disk)
	}
	c.rate = 1 / (s.Overhead + seconds)
	c.ends = p.now + max(c.left, 0)/c.rate
}

// settle counts what a cohort has used since its rate changed, and returns the seconds.
func (p *Predictor) settle(c *cohort) float64 {
	lasted := p.now - c.since
	slots := lasted * float64(c.tasks*p.groups[c.group].hosts)
	p.result.Held += slots
	p.result.Harvested += slots * c.residual
	c.since = p.now
	return lasted
}

// finish ends the cohorts whose run is over by now.
func (p *Predictor) finish(until float64) {
	if p.ends > until {
		return
	}
	p.free, p.crowds = true, true
	for i := range p.cohorts {
		c := &p.cohorts[i]
		if c.ends > until {
			continue
		}
		p.settle(c)
		g, s := &p.groups[c.group], &p.stages[c.stage]
		at := int(c.stage)*p.width + int(c.group)
		p.bytes[at] += s.out * float64(c.tasks)
		p.files[at] += float64(c.tasks)
		g.busy -= c.tasks
		g.next()
		c.phase, c.ends = gone, math.Inf(1)
		p.vacant = append(p.vacant, int32(i))
		p.end(s, c.tasks*g.hosts)
	}
}
