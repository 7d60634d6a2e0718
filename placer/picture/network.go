package picture

import (
	"cmp"
	"slices"

	"lull/placer/predict"
	"lull/placer/shelf"
	"lull/placer/topology"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Host is what telemetry says of a host.
type Host struct {
	Idle    float64 // cores that the primary leaves
	Traffic topology.Traffic
}

// Pool is a snapshot of a pool's hosts that have a rack and fresh telemetry.
type Pool struct {
	predict.Snapshot
	Full  *topology.Tree // with nothing taken from any link, and uplinks of the rates that they count for
	Index map[string]int // of the hosts, by name
	Out   []Missing      // hosts that are up and left out, by name
}

// Missing is a host that is left out.
type Missing struct{ Host, Why string }

// Why a host is left out.
const (
	NoRack = "its rack= label names no rack of the topology"
	Stale  = "it sent no usage in the last ten seconds"
)

// Needs is what a host must offer to run a job's tasks.
type Needs struct {
	Where  []string
	CPU    uint32
	Memory int64
}

// NeedsOf is what the tasks of all stages of a job need, publishing aside.
func NeedsOf(job Job) (n Needs) {
	n.CPU = 1
	for i := range job.Shape.Stages {
		if st := &job.Shape.Stages[i]; !st.Publish {
			n.CPU, n.Memory = max(n.CPU, st.CPU), max(n.Memory, st.Memory)
			for _, label := range st.Where {
				if !slices.Contains(n.Where, label) {
					n.Where = append(n.Where, label)
				}
			}
		}
	}
	return n
}

// Look takes the snapshot. of is what telemetry says of a host, false if nothing fresh; counts what an uplink of a
// declared rate counts for, which may be less.
func Look(s *ledger.State, of func(name string) (Host, bool), counts func(rack string, up bool, declared float64) float64) *Pool {
	p := &Pool{Index: map[string]int{}}
	tree, racks, nics := links(s.Network)
	for i := range tree.Racks {
		r := &tree.Racks[i]
		r.Up, r.Down = counts(r.Name, true, r.Up), counts(r.Name, false, r.Down)
	}
	var traffic []topology.Traffic
	for _, h := range s.Hosts() {
		if !h.Open() {
			continue
		}
		rack, known := racks[subjects.Rack(h.Joined.Labels)]
		usage, fresh := of(h.Name)
		switch {
		case !known:
			p.Out = append(p.Out, Missing{h.Name, NoRack})
			continue
		case !fresh:
			p.Out = append(p.Out, Missing{h.Name, Stale})
			continue
		}
		nic, named := nics[h.Name]
		if !named {
			nic.Up = cmp.Or(h.Joined.NIC, subjects.DefaultNIC)
			nic.Down = nic.Up
		}
		p.Index[h.Name] = len(tree.Hosts)
		tree.Hosts = append(tree.Hosts, topology.Host{Name: h.Name, Rack: rack, Out: nic.Up, In: nic.Down})
		p.Hosts = append(p.Hosts, predict.Host{Slots: int(h.Joined.Slots) - h.Busy(), Busy: h.Busy(), Idle: usage.Idle})
		traffic = append(traffic, usage.Traffic)
	}
	p.Full, p.Tree = tree, tree.WithTraffic(traffic)
	return p
}

// links is the tree of a network without hosts, the racks by name, and the NICs that it names.
func links(n *ledger.Network) (tree *topology.Tree, racks map[string]int, nics map[string]subjects.WiredLink) {
	tree, racks, nics = &topology.Tree{}, map[string]int{}, map[string]subjects.WiredLink{}
	above := map[string]int{"": 0}
	for i := range n.Above {
		above[n.Above[i].Name] = i + 1
		tree.Aggregations = append(tree.Aggregations, topology.Aggregation{Name: n.Above[i].Name, Up: n.Above[i].Up, Down: n.Above[i].Down})
	}
	for i := range n.Racks {
		r := &n.Racks[i]
		racks[r.Name] = i
		tree.Racks = append(tree.Racks, topology.Rack{Name: r.Name, Up: r.Up, Down: r.Down, Above: above[r.Above]})
	}
	for _, nic := range n.NICs {
		nics[nic.Name] = nic
	}
	return tree, racks, nics
}

// Offer is the pool as a job finds it.
type Offer struct {
	*predict.Snapshot
	// Free is how many of its tasks could begin at once now, Room how many if no other job ran.
	Free, Room int
}

// For returns the pool as a job finds it: hosts that cannot run its tasks offer no slot, and links have
// less by what others were promised. Where no host has a slot for it now, the snapshot shows all as free and idle,
// because the job waits for that anyway.
func (p *Pool) For(s *ledger.State, n Needs, promised []topology.Promise) Offer {
	snapshot := &predict.Snapshot{Tree: p.Tree.WithPromises(promised...), Hosts: slices.Clone(p.Hosts)}
	offer := Offer{Snapshot: snapshot}
	each := func(set func(h *ledger.Host, at *predict.Host)) {
		for i := range snapshot.Hosts {
			if h := s.Host(p.Tree.Hosts[i].Name); h != nil && h.Matches(n.Where) && n.Memory <= h.Joined.Memory {
				set(h, &snapshot.Hosts[i])
			} else {
				snapshot.Hosts[i].Slots = 0
			}
		}
	}
	each(func(_ *ledger.Host, at *predict.Host) {
		offer.Room += shelf.Room(*at) / int(n.CPU)
		at.Slots /= int(n.CPU)
		offer.Free += shelf.Slots(*at)
	})
	if offer.Free == 0 {
		each(func(h *ledger.Host, at *predict.Host) {
			*at = predict.Host{Slots: int(h.Joined.Slots) / int(n.CPU), Idle: float64(h.Joined.Cores)}
		})
	}
	return offer
}

// aboveMark begins the names of links that lead up from switches. Racks have names without it.
const aboveMark = "above:"

// Promised turns the bytes that cross a tree's links within some seconds into named rates.
func Promised(tree *topology.Tree, crossed []float64, seconds float64) (all []subjects.WiredLink) {
	for i := 0; i < len(tree.Racks)+len(tree.Aggregations) && 2*i+1 < len(crossed); i++ {
		l := subjects.WiredLink{Up: crossed[2*i] / seconds, Down: crossed[2*i+1] / seconds}
		if !(l.Up > 0 || l.Down > 0) {
			continue
		}
		if i < len(tree.Racks) {
			l.Name = tree.Racks[i].Name
		} else {
			l.Name = aboveMark + tree.Aggregations[i-len(tree.Racks)].Name
		}
		all = append(all, l)
	}
	return all
}

// PromiseOf is the inverse of Promised, on a tree that may be another one by now.
func PromiseOf(tree *topology.Tree, links []subjects.WiredLink) topology.Promise {
	at := map[string]int{}
	for i := range tree.Racks {
		at[tree.Racks[i].Name] = 2 * i
	}
	for i := range tree.Aggregations {
		at[aboveMark+tree.Aggregations[i].Name] = 2 * (len(tree.Racks) + i)
	}
	p := topology.Promise{Rates: make([]float64, tree.Links())}
	for _, l := range links {
		if i, known := at[l.Name]; known {
			p.Rates[i] += l.Up
			p.Rates[i+1] += l.Down
		}
	}
	return p
}
