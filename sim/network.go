package sim

import (
	"math"
	"time"

	"lull/placer/flow"
	"lull/placer/topology"
)

// network is the links between hosts, and the transfers over them. All of them get their max–min
// fair share. It is nil in a scenario without a topology: outputs move in no time there.
type network struct {
	w       *World
	tree    *topology.Tree
	index   map[string]int // of hosts in the tree
	active  []*transfer
	sharing flow.Sharing
	path    []int
	at      time.Duration // until when transfers are counted
	stale   bool          // transfers came or went since rates were computed
	due     timer
}

// transfer is one request on its way. Hosts that the topology does not name have no limit of their own.
type transfer struct {
	from, to int // in the tree; -1 for a host that it does not name
	left     float64
	rate     float64
	ended    func()
	gone     bool
}

func newNetwork(w *World, tree *topology.Tree) *network {
	if tree == nil {
		return nil
	}
	n := &network{w: w, tree: tree, index: map[string]int{}, at: w.now}
	for i, h := range tree.Hosts {
		n.index[h.Name] = i
	}
	n.due.do = n.turn
	return n
}

// host returns a host's index in the tree, -1 if it is not there.
func (n *network) host(name string) int {
	if i, ok := n.index[name]; ok {
		return i
	}
	return -1
}

// disk is what a host's disk reads and writes, in bytes/s; 0 for no limit.
func (n *network) disk(name string) float64 {
	if i := n.host(name); i >= 0 {
		return n.tree.Hosts[i].Disk
	}
	return 0
}

// rack is the name of a host's rack, "" for none.
func (n *network) rack(host int) string {
	if host < 0 {
		return ""
	}
	return n.tree.Racks[n.tree.Hosts[host].Rack].Name
}

// begin starts a transfer. Those of the same instant wait for each other, so that rates are computed once.
func (n *network) begin(t *transfer) {
	n.settle()
	n.active = append(n.active, t)
	n.stale = true
	n.w.armEarlier(&n.due, n.w.now)
}

// drop gives up a transfer; its ended is not called.
func (n *network) drop(t *transfer) {
	if !t.gone {
		t.gone = true
		n.stale = true
		n.w.armEarlier(&n.due, n.w.now)
	}
}

// settle counts what has been transferred since the last change.
func (n *network) settle() {
	seconds := (n.w.now - n.at).Seconds()
	n.at = n.w.now
	if seconds <= 0 {
		return
	}
	for _, t := range n.active {
		t.left -= float64(t.rate * seconds)
	}
}

// turn ends transfers that are over, and computes the rates anew if any began or ended.
func (n *network) turn() {
	n.settle()
	var ended []*transfer
	active := n.active[:0]
	for _, t := range n.active {
		switch {
		case t.gone:
		case t.left <= t.rate*instant:
			t.gone, n.stale = true, true
			ended = append(ended, t)
		default:
			active = append(active, t)
		}
	}
	clear(n.active[len(active):])
	n.active = active
	for _, t := range ended {
		t.ended() // may begin others
	}
	if n.stale {
		n.share()
	}
	n.wait()
}

// instant is the smallest step of virtual time, in seconds. A transfer that needs less is over.
const instant = 1e-9

// wait arms the timer for the first end.
func (n *network) wait() {
	first := math.Inf(1)
	for _, t := range n.active {
		if t.rate > 0 {
			first = min(first, t.left/t.rate)
		}
	}
	const never = 1e9 // s
	if first < never {
		n.w.arm(&n.due, n.w.now+time.Duration(math.Ceil(max(first, 0)*1e9)))
	}
}

// share computes the rates.
func (n *network) share() {
	n.stale = false
	s, tree := &n.sharing, n.tree
	s.Reset()
	for link := range tree.Links() {
		s.Link(tree.Capacity(link))
	}
	for _, h := range tree.Hosts {
		out, in := h.Out, h.In
		if h.Disk > 0 {
			out, in = min(out, h.Disk), min(in, h.Disk)
		}
		s.Link(out)
		s.Link(in)
	}
	for _, t := range n.active {
		n.connect(t)
	}
	s.Fill()
	for i, t := range n.active {
		t.rate = min(s.Rate(i), unbounded)
	}
}

// unbounded is the rate of a transfer that uses no link of the topology, in bytes/s.
const unbounded = 1e12

// connect adds the flow of a transfer.
func (n *network) connect(t *transfer) {
	s, above := &n.sharing, n.tree.Links()
	s.Flow(1)
	if t.from >= 0 {
		s.Load(above+2*t.from, 1)
	}
	if t.to >= 0 {
		s.Load(above+2*t.to+1, 1)
	}
	if t.from < 0 || t.to < 0 {
		return
	}
	n.path = n.tree.Path(n.path[:0], n.tree.Hosts[t.from].Rack, n.tree.Hosts[t.to].Rack)
	for _, link := range n.path {
		s.Load(link, 1)
	}
}
