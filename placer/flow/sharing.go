package flow

import "math"

// Sharing is a set of links and of flows over them. The zero value is empty.
type Sharing struct {
	links []link
	flows []flow
	loads []load  // those of one flow adjoin
	live  []int32 // flows that were not removed, in their order; begin forgets the others
	// own is the links that some flow loads by itself with more than it takes from a common, each with the level
	// at which such flows would fill it if none stopped: it is never full before.
	own []fills
	// commons are loads that several flows have; vectors holds what each of them is on each link, and
	// loaded the links on which it is anything.
	commons []common
	vectors []float64
	loaded  []onLink

	// What each round reads of many links stands in lists by link: the capacity, what flows load it with by
	// themselves for each unit of level, and the same without regard to sign.
	capacity, sum, gross []float64

	// While filling:
	slope, used []float64 // sum of the flows that rise, and what the others load at their rates
	active      []int32   // commons that have flows
	open        []fills   // of own, those that may still fill up
	near        []fills   // links that may be the first to fill up in this round
	hint        int32     // the link that filled up first the last time; the search begins with it
	rising      int       // flows that no link has stopped
	plain       int       // those of them that take part in no common
	round       int32     // counts links that filled up
}

type link struct {
	last     int32 // of its loads, -1 for none
	flows    int32 // that load it by themselves
	positive int32 // those with a load above zero
	own      int32 // its place in Sharing.own, -1 for none
	mixed    bool  // commons load it, too
}

type flow struct {
	weight, rate float64
	per          float64 // of its common
	first, end   int32   // its loads
	common       int32   // that it takes part in, -1 for none
	after        int32   // while filling: the next flow of the same common that rises, -1 for none
	spared       int32   // the round whose full link it does not load
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
	s.live, s.own = s.live[:0], s.own[:0]
	s.commons, s.vectors, s.loaded = s.commons[:0], s.vectors[:0], s.loaded[:0]
	s.capacity, s.sum, s.gross = s.capacity[:0], s.sum[:0], s.gross[:0]
	s.slope, s.used = s.slope[:0], s.used[:0]
	s.hint = 0
}

// Flows is the number of flows so far, with those that were removed.
func (s *Sharing) Flows() int { return len(s.flows) }

// Link adds a link and returns its number, from 0.
func (s *Sharing) Link(capacity float64) int {
	s.links = append(s.links, link{last: -1, own: -1})
	s.capacity, s.sum, s.gross = append(s.capacity, capacity), append(s.sum, 0), append(s.gross, 0)
	s.slope, s.used = append(s.slope, 0), append(s.used, 0)
	return len(s.links) - 1
}

// Flow adds a flow, which loads nothing yet, and returns its number, from 0. While no link bounds
// them, the rates of flows are in proportion to their weights.
func (s *Sharing) Flow(weight float64) int {
	n := int32(len(s.loads))
	s.flows = append(s.flows, flow{weight: weight, first: n, end: n, common: -1})
	s.live = append(s.live, int32(len(s.flows)-1))
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
	s.sum[link] += float64(s.flows[n].weight * per)
	s.gross[link] += math.Abs(s.flows[n].weight * per)
	s.flows[n].end++
	if per < 0 {
		return
	}
	l.positive++
	if l.own < 0 {
		l.own = int32(len(s.own))
		s.own = append(s.own, fills{link: int32(link)})
	}
	s.measure(int32(link))
}

// measure computes the level at which a link's own flows would fill it.
func (s *Sharing) measure(link int32) {
	l := &s.links[link]
	if l.own < 0 {
		return
	}
	at := &s.own[l.own].at
	switch {
	case l.positive == 0:
		*at = math.Inf(1)
	case l.mixed:
		*at = 0 // commons may fill it at any level
	default:
		*at = s.capacity[link] / s.sum[link]
	}
}

// Remove takes a flow out; the others keep their numbers.
func (s *Sharing) Remove(flow int) {
	f := &s.flows[flow]
	f.gone, f.fixed, f.rate = true, true, 0
	for _, at := range s.loads[f.first:f.end] {
		l := &s.links[at.link]
		if at.per > 0 {
			l.positive--
		}
		if l.flows--; l.flows == 0 {
			s.sum[at.link], s.gross[at.link] = 0, 0
		} else {
			s.sum[at.link] -= float64(f.weight * at.per)
			s.gross[at.link] -= math.Abs(f.weight * at.per)
		}
		s.measure(at.link)
	}
}

// Rate is the rate that the last Fill gave a flow. One that loads no link has no bound: +Inf.
func (s *Sharing) Rate(flow int) float64 { return s.flows[flow].rate }
