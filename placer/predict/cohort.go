package predict

import "math"

// cohort is the tasks of one stage that started together on the hosts of a group.
type cohort struct {
	stage, group int32
	number       int // index of its first task in the stage
	tasks        int // number on each host
	phase        phase
	pulls        int     // number of pulls that it waits for
	next, end    int32   // range in Predictor.queue of the pulls that it has yet to begin
	since        float64 // when its phase, or its rate, changed last
	left         float64 // share of its run that was left at since
	rate         float64 // share of its run that is done in a second; 0 if not known yet
	residual     float64 // of its slots at this rate
	ends         float64 // when its run ends; +Inf while it does not run
}

// phase is what a cohort's tasks are doing.
type phase uint8

const (
	gone    phase = iota // they have ended; the cohort's place is vacant
	starts               // they were given slots in this round
	fetches              // they fetch what they read
	runs
)

func (c *cohort) live() bool { return c.phase != gone }

// add stores a cohort and returns its index. It uses the place of a cohort that is gone, if there is one.
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

// startFetches begins the fetches of the cohorts that were given slots in this round. A cohort that has nothing
// to fetch runs at once.
func (p *Predictor) startFetches() {
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
			p.startRun(int32(i))
		}
	}
	p.started = false
}

// startRun begins the run of a cohort after its tasks have fetched all that they read.
func (p *Predictor) startRun(of int32) {
	c := &p.cohorts[of]
	lasted := (p.now - c.since) * float64(c.tasks*p.groups[c.group].hosts)
	p.result.Fetching += lasted
	p.result.Held += lasted
	p.groups[c.group].fetching -= c.tasks
	c.phase, c.since, c.left, c.rate = runs, p.now, 1, 0
	p.begun = append(p.begun, of)
}

// pace computes the rates of the cohorts that begin to run, and of those on hosts where the number of busy
// slots has changed.
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

// paceCrowds computes the rates of the running cohorts on hosts where the number of busy slots has changed,
// and when the next run ends.
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

// paceCohort computes the rate of a running cohort, and when its run ends.
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

// settle adds to the result what a cohort has used since its rate changed last, and returns the seconds
// since then.
func (p *Predictor) settle(c *cohort) float64 {
	lasted := p.now - c.since
	slots := lasted * float64(c.tasks*p.groups[c.group].hosts)
	p.result.Held += slots
	p.result.Harvested += slots * c.residual
	c.since = p.now
	return lasted
}

// finish ends the cohorts that have run to their end by the time until.
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
