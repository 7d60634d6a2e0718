package topology

import "slices"

// Traffic is what others move over a host's NIC, in bytes/s.
type Traffic struct{ Out, In float64 }

// Least is the share of a link that is always counted as left. The links give a flow that joins
// a full one its fair share, and a rate of zero would predict that a job never ends.
const Least = 0.01

// WithTraffic returns the tree with what the primaries leave: of a NIC its rate less the host's traffic,
// of an uplink its rate less the traffic of all hosts below. traffic is by host. A part of the traffic
// between hosts of one rack counts against the uplink as well, because a host's counters do not
// tell where its bytes go.
func (t *Tree) WithTraffic(traffic []Traffic) *Tree {
	left := t.clone()
	below := make([]float64, t.Links())
	for i, used := range traffic {
		h := &left.Hosts[i]
		h.Out, h.In = remains(h.Out, used.Out), remains(h.In, used.In)
		rack := t.Racks[h.Rack]
		below[t.Up(h.Rack)] += used.Out
		below[t.Down(h.Rack)] += used.In
		if rack.Above > 0 {
			above := 2 * (len(t.Racks) + rack.Above - 1)
			below[above] += used.Out
			below[above+1] += used.In
		}
	}
	return left.take(below)
}

// Promise is what a placed job is predicted to move over the links above the hosts.
type Promise struct {
	Rates []float64 // bytes/s by link, see Links
}

// WithPromises returns the tree with what a further job has of the links above the hosts beside the promised ones.
// Links are shared max–min fair: a job that was promised less than its fair share keeps all of it, and the
// others give way to the one that joins them. So of a link that one job was promised as a whole, half is left.
func (t *Tree) WithPromises(promised ...Promise) *Tree {
	left := t.clone()
	var rates []float64
	for link := range t.Links() {
		rates = rates[:0]
		for _, p := range promised {
			if link < len(p.Rates) && p.Rates[link] > 0 {
				rates = append(rates, p.Rates[link])
			}
		}
		rate := left.rate(link)
		*rate = fairShare(*rate, rates)
	}
	return left
}

// fairShare is the max–min fair share of a job that joins others on a link. The demand of each other job is what it was
// promised, its own has no bound.
func fairShare(rate float64, others []float64) float64 {
	slices.Sort(others)
	for i, demand := range others {
		share := rate / float64(len(others)-i+1)
		if demand >= share {
			return share
		}
		rate -= demand
	}
	return rate
}

// take takes rates from the links above the hosts.
func (t *Tree) take(rates []float64) *Tree {
	for link, used := range rates {
		rate := t.rate(link)
		*rate = remains(*rate, used)
	}
	return t
}

func remains(rate, used float64) float64 { return max(rate-max(used, 0), Least*rate) }
