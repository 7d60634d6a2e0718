package flow

import "math"

// Sharing is a set of links and of flows over them. The zero value is empty.
type Sharing struct {
	links []link
	flows []flow
	loads []load // those of one flow adjoin
	// commons are loads that several flows have; vectors holds what each of them is on each link, and
	// loaded names the links on which it is anything.
	commons    []common
	vectors    []float64
	loaded     []int32
	open, full []int32 // links that may still fill up, and those that are full now
	rising     int     // flows that no link has stopped
}

type link struct {
	capacity  float64
	last      int32 // of its loads, -1 for none
	flows     int32 // that load it by themselves
	sum, plus float64

	// While filling:
	slope float64 // load that rising flows add for each unit of level
	least float64 // a slope that is only what rounding left
	used  float64 // load of the others
	at    float64 // level at which it is full
}

type flow struct {
	weight, rate float64
	first, end   int32 // its loads
	common       int32 // that it takes part in, -1 for none
	before       int32 // the flow before it of the same common
	per          float64
	gone, fixed  bool
}

type load struct {
	link, flow int32
	before     int32 // the load before it of the same link, -1 for none
	per        float64
}

// Reset removes all links and flows, and keeps the room.
func (s *Sharing) Reset() {
	s.links, s.flows, s.loads = s.links[:0], s.flows[:0], s.loads[:0]
	s.commons, s.vectors, s.loaded = s.commons[:0], s.vectors[:0], s.loaded[:0]
}

// Flows is the number of flows so far, with those that were removed.
func (s *Sharing) Flows() int { return len(s.flows) }

// Link adds a link and returns its number, from 0.
func (s *Sharing) Link(capacity float64) int {
	s.links = append(s.links, link{capacity: capacity, last: -1})
	return len(s.links) - 1
}

// Flow adds a flow, which loads nothing yet, and returns its number, from 0. While no link bounds
// them, the rates of flows are in proportion to their weights.
func (s *Sharing) Flow(weight float64) int {
	n := int32(len(s.loads))
	s.flows = append(s.flows, flow{weight: weight, first: n, end: n, common: -1})
	return len(s.flows) - 1
}

// Load has the flow that was added last load a link with per times its rate. A link may be named once
// a flow. A negative load takes from what the flow's common loads the link with, at most all of it.
func (s *Sharing) Load(link int, per float64) {
	if per == 0 || math.IsNaN(per) {
		return
	}
	l, n := &s.links[link], len(s.flows)-1
	s.loads = append(s.loads, load{int32(link), int32(n), l.last, per})
	l.last = int32(len(s.loads) - 1)
	l.flows++
	l.add(s.flows[n].weight * per)
	s.flows[n].end++
}

// Remove takes a flow out; the others keep their numbers.
func (s *Sharing) Remove(flow int) {
	f := &s.flows[flow]
	f.gone = true
	for _, at := range s.loads[f.first:f.end] {
		l := &s.links[at.link]
		if l.flows--; l.flows == 0 {
			l.sum, l.plus = 0, 0
			continue
		}
		l.sum -= f.weight * at.per
		l.plus -= max(f.weight*at.per, 0)
	}
	s.leave(f)
}

func (l *link) add(slope float64) {
	l.sum += slope
	l.plus += max(slope, 0)
}

// Rate is the rate that the last Fill gave a flow. One that loads no link has no bound: +Inf.
func (s *Sharing) Rate(flow int) float64 { return s.flows[flow].rate }
