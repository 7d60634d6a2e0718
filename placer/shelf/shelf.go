// Package shelf sorts hosts for the searches that choose among them. Hosts of one rack with equal NICs
// and disks differ only by what their primaries leave them. So a search chooses how many of them to
// take, and takes the best first.
package shelf

import (
	"cmp"
	"slices"

	"lull/placer/predict"
	"lull/subjects/tct"
)

// Shelf is the hosts of one rack that differ only by what they offer, the better first.
type Shelf struct {
	Rack  int
	Hosts []int // indexes in the snapshot
}

// offer is what a host offers: slots that run a task at once, and the residual of each.
type offer struct {
	slots    int
	residual float64
}

func offerOf(h predict.Host) offer {
	n, r := tct.Fill(h.Idle, h.Slots+h.Busy)
	return offer{min(max(n-h.Busy, 0), h.Slots), r}
}

// cores is what all its slots have together.
func (o offer) cores() float64 { return float64(o.slots) * o.residual }

// Shelve sorts the hosts that can run a task into shelves, by rack.
func Shelve(s *predict.Snapshot) []Shelf {
	usable := Usable(s)
	slices.SortStableFunc(usable, func(a, b int) int { return compareKind(s, a, b) })
	var all []Shelf
	for i, h := range usable {
		if i == 0 || compareKind(s, usable[i-1], h) != 0 {
			all = append(all, Shelf{Rack: s.Tree.Hosts[h].Rack})
		}
		last := &all[len(all)-1]
		last.Hosts = append(last.Hosts, h)
	}
	return all
}

// compareKind orders hosts by rack and by what does not change; 0 means the same shelf.
func compareKind(s *predict.Snapshot, a, b int) int {
	x, y := &s.Tree.Hosts[a], &s.Tree.Hosts[b]
	return cmp.Or(
		cmp.Compare(x.Rack, y.Rack),
		cmp.Compare(min(y.In, y.Out), min(x.In, x.Out)),
		cmp.Compare(y.In, x.In),
		cmp.Compare(y.Disk, x.Disk),
	)
}

// Usable returns the hosts that can run a task, the better first: by cores that their slots have
// together, then by residual, then by NIC, then by index.
func Usable(s *predict.Snapshot) []int {
	var all []int
	for i, h := range s.Hosts {
		if offerOf(h).slots > 0 {
			all = append(all, i)
		}
	}
	slices.SortStableFunc(all, func(a, b int) int {
		x, y := offerOf(s.Hosts[a]), offerOf(s.Hosts[b])
		return cmp.Or(
			cmp.Compare(y.cores(), x.cores()),
			cmp.Compare(y.residual, x.residual),
			cmp.Compare(s.Tree.Hosts[b].In, s.Tree.Hosts[a].In),
		)
	})
	return all
}

// Slots is the number of slots of a host that can run a task at once.
func Slots(h predict.Host) int { return offerOf(h).slots }

// Room is the number of tasks that a host could run at once if nothing else held its slots.
func Room(h predict.Host) int {
	n, _ := tct.Fill(h.Idle, h.Slots+h.Busy)
	return n
}

// Take returns so many hosts of each shelf, in rising order. It appends to hosts.
func Take(hosts []int, shelves []Shelf, counts []int) []int {
	for i, n := range counts {
		hosts = append(hosts, shelves[i].Hosts[:n]...)
	}
	slices.Sort(hosts)
	return hosts
}
