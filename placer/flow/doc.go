// Package flow divides links between flows, max–min fair: no flow can have more without another
// one, which has no more than it, having less.
//
//	var s flow.Sharing
//	up, nic := s.Link(25e6), s.Link(125e6)
//	f := s.Flow(8)       // as much as eight single ones
//	s.Load(up, 0.5)      // half of its bytes cross the uplink
//	s.Load(nic, 1)
//	s.Fill()
//	rate := s.Rate(f)
//
// A flow has one rate and loads each of its links with a multiple of it. So one flow stands for
// many alike, or for the transfers of a task that takes turns between many sources.
//
// Flows that draw from the same many links, each in its own proportion, join a Common: filling then costs
// a step for each of them and one for few of the links, not one for each pair. See narrow.
//
// Filling is progressive (Bertsekas and Gallager, Data Networks, 6.5.2): all rates rise together, by
// weight, until a link is full; the flows over it stay there, the others rise on. It is the order of
// links that fill up, so it takes at most as many rounds as there are links.
//
// A Sharing keeps its room: once grown, it does not allocate.
package flow
