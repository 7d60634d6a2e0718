package twin

import (
	"math"

	"lull/placer/topology"
)

// transfer is one request on its way.
type transfer struct {
	task     *task
	from, to int // hosts
	left     float64
	rate     float64
	links    []int
	fixed    bool
}

// network divides links between transfers.
type network struct {
	tree     *topology.Tree
	capacity []float64
	active   []*transfer
	over     [][]*transfer // by link
}

func newNetwork(tree *topology.Tree) *network {
	n := &network{tree: tree}
	for link := range tree.Links() {
		n.capacity = append(n.capacity, tree.Capacity(link))
	}
	for _, h := range tree.Hosts {
		out, in := h.Out, h.In
		if h.Disk > 0 {
			out, in = min(out, h.Disk), min(in, h.Disk)
		}
		n.capacity = append(n.capacity, out, in)
	}
	n.over = make([][]*transfer, len(n.capacity))
	return n
}

func (n *network) add(t *transfer) {
	hosts := n.tree.Links()
	t.links = n.tree.Path([]int{hosts + 2*t.from, hosts + 2*t.to + 1}, n.tree.Hosts[t.from].Rack, n.tree.Hosts[t.to].Rack)
	n.active = append(n.active, t)
}

// divide gives every transfer its max–min fair rate. Repeatedly, the link that has least for each of its
// transfers fixes their rates.
func (n *network) divide() {
	left, rising := append([]float64(nil), n.capacity...), make([]int, len(n.capacity))
	for i := range n.over {
		n.over[i] = n.over[i][:0]
	}
	for _, t := range n.active {
		t.fixed = false
		for _, l := range t.links {
			rising[l]++
			n.over[l] = append(n.over[l], t)
		}
	}
	for {
		least, at := math.Inf(1), -1
		for l, k := range rising {
			if k > 0 && left[l]/float64(k) < least {
				least, at = left[l]/float64(k), l
			}
		}
		if at < 0 {
			return
		}
		for _, t := range n.over[at] {
			if t.fixed {
				continue
			}
			t.fixed, t.rate = true, max(least, 0)
			for _, l := range t.links {
				left[l] -= least
				rising[l]--
			}
		}
	}
}
