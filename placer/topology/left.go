package topology

// Traffic is what others move over a host's NIC, in bytes/s.
type Traffic struct{ Out, In float64 }

// Least is the share of a link that is always counted as left. The links give a flow that joins
// a full one its fair share, and a rate of zero would predict that a job never ends.
const Least = 0.01

// Left returns the tree with what the primaries leave: of a NIC its rate less the host's traffic,
// of an uplink its rate less the traffic of all hosts below. traffic is by host. A part of the traffic
// between hosts of one rack counts against the uplink as well, because a host's counters do not
// tell where its bytes go.
func (t *Tree) Left(traffic []Traffic) *Tree {
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

// Less returns the tree with what the promises leave of the links above the hosts.
func (t *Tree) Less(promised ...Promise) *Tree {
	sum := make([]float64, t.Links())
	for _, p := range promised {
		for link, rate := range p.Rates {
			if link < len(sum) {
				sum[link] += rate
			}
		}
	}
	return t.clone().take(sum)
}

// take takes rates from the links above the hosts.
func (t *Tree) take(rates []float64) *Tree {
	for i := range t.Racks {
		r := &t.Racks[i]
		r.Up, r.Down = remains(r.Up, rates[2*i]), remains(r.Down, rates[2*i+1])
	}
	for i := range t.Aggregations {
		a, link := &t.Aggregations[i], 2*(len(t.Racks)+i)
		a.Up, a.Down = remains(a.Up, rates[link]), remains(a.Down, rates[link+1])
	}
	return t
}

func remains(rate, used float64) float64 { return max(rate-max(used, 0), Least*rate) }
