package simulate

import (
	"slices"
	"time"

	"lull/sim"
	"lull/sim/webpage"
)

const (
	areaSteps = 240 // of the plots of CPU: finer is not seen
	heatSteps = 120
	heatRows  = 32
	maxCurve  = 400 // points of a distribution
)

// plots are what a run looks like.
type plots struct {
	span               time.Duration
	primary, harvested []float64 // cores
	used, waits        []float64
	primaries, hosts   []webpage.Strip
}

// newPlots sums a result up in a few thousand numbers, so that its memory can be freed.
func newPlots(s *sim.Scenario, r *sim.Result) *plots {
	p := &plots{span: max(r.End, time.Second), used: thin(allowances(r)), waits: thin(waits(r))}
	primary, harvested := newHistogram(p.span, areaSteps), newHistogram(p.span, areaSteps)
	for i := range s.Hosts {
		plotHost(&s.Hosts[i], p.span, primary)
	}
	for i := range r.Runs {
		harvested.add(r.Runs[i].Start, r.Runs[i].End, r.Runs[i].CPU)
	}
	p.primary, p.harvested = primary.means(), harvested.means()
	p.heat(s, r)
	return p
}

// plotHost adds what a host's primary uses.
func plotHost(h *sim.Host, span time.Duration, to *histogram) {
	for at := time.Duration(0); at < span && h.Load != nil; {
		cores, until := h.Load.At(at)
		until = min(until, span)
		to.add(at, until, cores*(until-at).Seconds())
		at = until
	}
}

// allowances are, of each job with a deadline that ended, the time it took
// over the time it had; rising.
func allowances(r *sim.Result) (list []float64) {
	for i := range r.Jobs {
		j := &r.Jobs[i]
		if had := j.Deadline - j.Submitted; j.Deadline > 0 && had > 0 && j.State == stateFinished {
			list = append(list, (j.Ended-j.Submitted).Seconds()/had.Seconds())
		}
	}
	slices.Sort(list)
	return list
}

// thin leaves of a rising list as many values as a curve shows.
func thin(list []float64) []float64 {
	if len(list) <= maxCurve {
		return list
	}
	some := make([]float64, maxCurve)
	for i := range some {
		some[i] = list[(i+1)*len(list)/maxCurve-1]
	}
	return some
}
