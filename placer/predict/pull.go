package predict

import "lull/subjects/turns"

// pull is what the tasks of a cohort fetch from a group's hosts, or from all of them in turn.
type pull struct {
	cohort int32
	source int32   // a group; bundle for all
	weight float64 // requests at once, of one task to one host; of a bundle, to all
	left   float64 // bytes of one task from one host; of a bundle, from all
	rate   float64
	since  float64 // when the cohort began to fetch
	ends   float64
	flow   int32
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
	s.readers[g.rack] += float64(c.tasks * g.hosts)
	most := min(turns.TaskTransfers, turns.HostTransfers/float64(g.fetching))
	switch {
	case s.single:
		p.enqueue(of)
	case s.elements > 0 || rest.requests > most:
		c.pulls = 1
		p.pulls = append(p.pulls, pull{cohort: of, source: bundle, weight: min(rest.requests+s.elements, most), left: rest.bytes, since: c.since, flow: -1})
	default:
		for at, kept := range s.kept[:len(p.groups)] {
			if kept.bytes > 0 && p.remote(c, at) > 0 {
				c.pulls++
				p.pulls = append(p.pulls, pull{cohort: of, source: int32(at), weight: kept.requests, left: kept.bytes, since: c.since, flow: -1})
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
	if p.arrives > until+float64(blurred*(p.now-p.oldest)) {
		return
	}
	kept := 0
	for i := range p.pulls {
		f := &p.pulls[i]
		if f.ends <= until+p.blur(f) && !p.endPull(f) {
			continue
		}
		if kept < i {
			p.pulls[kept] = *f
		}
		kept++
	}
	p.pulls = p.pulls[:kept]
}

// endPull ends a pull. It puts the cohort's next request, which waited for that, in its place, or returns
// false if there is none.
func (p *Predictor) endPull(f *pull) bool {
	p.sharing.Remove(int(f.flow))
	p.refill = true
	c := &p.cohorts[f.cohort]
	if c.pulls--; c.pulls == 0 {
		p.startRun(f.cohort)
	}
	if c.next == c.end {
		return false
	}
	*f, c.next = p.queue[c.next], c.next+1
	return true
}

// blurred is the part of its time by which a bundle may end too early, so that those which end almost together
// end at once. A bundle is an approximation that errs by more.
const blurred = 0.005

// blur is how much later than now a pull may end that counts as over.
func (p *Predictor) blur(f *pull) float64 {
	if f.source != bundle {
		return 0
	}
	return float64(blurred * (p.now - f.since))
}
