package predict

import (
	"math"

	"lull/subjects/turns"
)

// pull is what the tasks of a cohort fetch from a group's hosts, or from all of them in turn.
type pull struct {
	cohort int32
	source int32   // a group; bundle for all
	weight float64 // requests at once, of one task to one host; of a bundle, to all
	left   float64 // bytes of one task from one host; of a bundle, from all
	rate   float64
	ends   float64
	flow   int
	single bool // one request to one of the group's hosts
}

const bundle = -1

// pull begins the fetch of a cohort.
func (p *Predictor) pull(of int32) {
	c := &p.cohorts[of]
	s, g := &p.stages[c.stage], &p.groups[c.group]
	if len(s.from) == 0 {
		return
	}
	if !s.counted {
		p.count(s)
	}
	own := s.kept[c.group]
	rest := kept{s.total.bytes - own.bytes, s.total.requests - own.requests}
	if rest.bytes <= s.total.bytes*same {
		return
	}
	p.cross(s, c)
	most := min(turns.Task, turns.Host/float64(g.fetching))
	switch {
	case s.single:
		p.enqueue(of)
	case s.elements > 0 || rest.requests > most:
		c.pulls = 1
		p.pulls = append(p.pulls, pull{cohort: of, source: bundle, weight: min(rest.requests+s.elements, most), left: rest.bytes, flow: -1})
	default:
		for at, kept := range s.kept[:len(p.groups)] {
			if kept.bytes > 0 && p.remote(c, at) > 0 {
				c.pulls++
				p.pulls = append(p.pulls, pull{cohort: of, source: int32(at), weight: kept.requests, left: kept.bytes, flow: -1})
			}
		}
	}
	p.refill = true
}

// remote is the number of hosts of a group from which a task of the cohort fetches: all but its own.
func (p *Predictor) remote(c *cohort, at int) float64 {
	if int(c.group) == at {
		return float64(p.groups[at].hosts - 1)
	}
	return float64(p.groups[at].hosts)
}

// cross counts what a cohort fetches on the links between racks.
func (p *Predictor) cross(s *stage, c *cohort) {
	g := &p.groups[c.group]
	for rack, bytes := range s.racks {
		if bytes <= 0 {
			continue
		}
		p.path = p.snapshot.Tree.Path(p.path[:0], rack, g.rack)
		for _, link := range p.path {
			p.crossed[link] += bytes * float64(c.tasks*g.hosts)
		}
	}
}

// splitSources has those that fetch from a group fetch from both halves.
func (p *Predictor) splitSources(at, to int32) {
	for i := range len(p.pulls) {
		if f := p.pulls[i]; f.source == at && !f.single {
			f.source = to
			p.pulls = append(p.pulls, f)
			p.cohorts[f.cohort].pulls++
		}
	}
	p.dirty = p.dirty || len(p.pulls) > 0
}

// copyPulls has a copy of a cohort fetch what the cohort does.
func (p *Predictor) copyPulls(of, copied int32) {
	for i := range len(p.pulls) {
		if f := p.pulls[i]; f.cohort == of {
			f.cohort = copied
			p.pulls = append(p.pulls, f)
		}
	}
}

// arrive ends the pulls that are over by now, and begins the runs of cohorts that have all.
func (p *Predictor) arrive(until float64) {
	kept := p.pulls[:0]
	for _, f := range p.pulls {
		if f.ends > until+p.blur(&f) {
			kept = append(kept, f)
			continue
		}
		p.sharing.Remove(f.flow)
		p.refill = true
		c := &p.cohorts[f.cohort]
		if c.pulls--; c.pulls == 0 {
			p.run(c)
		}
		if c.next < c.end { // in the place of the one that is over, which has left its own
			f, c.next = p.queue[c.next], c.next+1
			kept = append(kept, f)
		}
	}
	p.pulls = kept
}

// blurred is the part of its time by which a bundle may end too early, so that those which end almost together
// end at once. A bundle is an approximation that errs by more.
const blurred = 0.005

// blur is how much later than now a pull may end that counts as over.
func (p *Predictor) blur(f *pull) float64 {
	if f.source != bundle {
		return 0
	}
	return blurred * (p.now - p.cohorts[f.cohort].since)
}

// nextArrival is when the next pull ends.
func (p *Predictor) nextArrival() float64 {
	next := math.Inf(1)
	for i := range p.pulls {
		next = min(next, p.pulls[i].ends)
	}
	return next
}
