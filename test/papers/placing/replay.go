package placing

import (
	"context"
	"maps"
	"math"
	"slices"

	"lull/placer/flow"
	"lull/placer/predict"
	"lull/placer/topology"
)

// fetch is a reducer that fetches from its mappers.
type fetch struct {
	of         int // the shuffle
	host       int
	left, rate float64
}

// fabric is the network with all fetches over it.
type fabric struct {
	tree    *topology.Tree
	all     []shuffle
	active  []fetch
	sharing flow.Sharing
	now     float64
	loads   map[int]topology.Promise // of each active shuffle
	moved   float64                  // bytes over uplinks
}

// day is the outcome of a day's shuffles: how many seconds each took, and the bytes that crossed uplinks.
type day struct {
	took  []float64
	moved float64
}

// replay lets the shuffles arrive at their times. The decider places each, given what the others use then.
func replay(ctx context.Context, all []shuffle, d decider) (day, error) {
	f := &fabric{tree: traceTree(), all: all}
	took := make([]float64, len(all))
	for next := 0; next < len(all) || len(f.active) > 0; {
		if err := ctx.Err(); err != nil {
			return day{}, err
		}
		until := math.Inf(1)
		if next < len(all) {
			until = all[next].arrives
		}
		if end := f.first(); end < until {
			f.advance(end, took)
			f.share()
			continue
		}
		f.advance(until, took)
		if err := f.arrive(next, d); err != nil {
			return day{}, err
		}
		f.share()
		next++
	}
	return day{took, f.moved}, nil
}

// first returns when the first fetch ends at the present rates.
func (f *fabric) first() float64 {
	end := math.Inf(1)
	for i := range f.active {
		end = min(end, f.now+f.active[i].left/f.active[i].rate)
	}
	return end
}

// advance lets time pass, and ends drawings that are over.
func (f *fabric) advance(until float64, took []float64) {
	seconds := until - f.now
	f.now = until
	for _, load := range f.loads {
		for link := 0; link < len(load.Rates); link += 2 {
			f.moved += load.Rates[link] * seconds
		}
	}
	active := f.active[:0]
	for _, d := range f.active {
		if d.left -= d.rate * seconds; d.left > d.rate*1e-6 {
			active = append(active, d)
			continue
		}
		took[d.of] = f.now - f.all[d.of].arrives
	}
	f.active = active
}

// arrive places the reducers of a shuffle.
func (f *fabric) arrive(n int, d decider) error {
	s := &f.all[n]
	hosts, err := d.choose(s.question(f.snapshot()), s)
	if err != nil {
		return err
	}
	for i, bytes := range s.bytes {
		f.active = append(f.active, fetch{of: n, host: hosts[i%len(hosts)], left: bytes})
	}
	return nil
}

// snapshot returns what the links offer a shuffle that joins the active ones.
func (f *fabric) snapshot() *predict.Snapshot {
	s := &predict.Snapshot{Tree: f.tree.WithPromises(slices.Collect(maps.Values(f.loads))...), Hosts: make([]predict.Host, len(f.tree.Hosts))}
	for h := range s.Hosts {
		s.Hosts[h] = predict.Host{Slots: 1, Idle: 1}
	}
	for _, d := range f.active {
		s.Hosts[d.host] = predict.Host{}
	}
	return s
}

// share divides the links anew.
func (f *fabric) share() {
	s, tree := &f.sharing, f.tree
	s.Reset()
	for link := range tree.Links() {
		s.Link(tree.Capacity(link))
	}
	nic := map[int]int{}
	for _, d := range f.active {
		if _, known := nic[d.host]; !known {
			nic[d.host] = s.Link(tree.Hosts[d.host].In)
		}
	}
	commons := map[int]int{}
	for _, d := range f.active {
		if _, known := commons[d.of]; !known {
			commons[d.of] = s.Common()
			for _, rack := range f.all[d.of].mappers {
				s.LoadCommon(tree.Up(rack), 1/float64(len(f.all[d.of].mappers)))
			}
		}
	}
	for i := range f.active {
		d := &f.active[i]
		rack, here := tree.Hosts[d.host].Rack, f.local(d)
		s.Flow(1)
		s.Join(commons[d.of], 1)
		s.Load(nic[d.host], 1)
		s.Load(tree.Up(rack), -here)
		s.Load(tree.Down(rack), 1-here)
	}
	s.Fill()
	f.count()
}

// local returns the share of a fetch's mappers that are in the reducer's own rack.
func (f *fabric) local(d *fetch) (part float64) {
	mappers := f.all[d.of].mappers
	for _, rack := range mappers {
		if rack == f.tree.Hosts[d.host].Rack {
			part += 1 / float64(len(mappers))
		}
	}
	return part
}

// count adds up the load of each shuffle's drawings on the links above the hosts.
func (f *fabric) count() {
	f.loads = map[int]topology.Promise{}
	for i := range f.active {
		d := &f.active[i]
		d.rate = f.sharing.Rate(i)
		if f.loads[d.of].Rates == nil {
			f.loads[d.of] = topology.Promise{Rates: make([]float64, f.tree.Links())}
		}
		load := f.loads[d.of].Rates
		rack, mappers := f.tree.Hosts[d.host].Rack, f.all[d.of].mappers
		for _, from := range mappers {
			if from != rack {
				load[f.tree.Up(from)] += d.rate / float64(len(mappers))
				load[f.tree.Down(rack)] += d.rate / float64(len(mappers))
			}
		}
	}
}
