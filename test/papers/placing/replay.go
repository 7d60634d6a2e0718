package placing

import (
	"math"

	"lull/placer/flow"
	"lull/placer/predict"
	"lull/placer/topology"
)

// drawing is a reducer that draws from its mappers.
type drawing struct {
	of         int // the shuffle
	host       int
	left, rate float64
}

// fabric is the network with all that is drawn over it.
type fabric struct {
	tree    *topology.Tree
	all     []shuffle
	active  []drawing
	sharing flow.Sharing
	now     float64
	load    []float64 // bytes/s of each link above the hosts
	moved   float64   // bytes over uplinks
}

// replay has the shuffles arrive and returns how long each took, and the bytes that crossed uplinks.
func replay(all []shuffle, d decider) (took []float64, moved float64, err error) {
	f := &fabric{tree: traceTree(), all: all}
	took = make([]float64, len(all))
	for next := 0; next < len(all) || len(f.active) > 0; {
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
			return nil, 0, err
		}
		f.share()
		next++
	}
	return took, f.moved, nil
}

// first is when the first drawing ends at these rates.
func (f *fabric) first() float64 {
	end := math.Inf(1)
	for i := range f.active {
		end = min(end, f.now+f.active[i].left/f.active[i].rate)
	}
	return end
}

// advance lets time pass, and ends what is over.
func (f *fabric) advance(until float64, took []float64) {
	seconds := until - f.now
	f.now = until
	for link := 0; link < len(f.load); link += 2 {
		f.moved += f.load[link] * seconds
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
	hosts, err := d.choose(s.question(f.snapshot(d.counted)), s)
	if err != nil {
		return err
	}
	for i, bytes := range s.bytes {
		f.active = append(f.active, drawing{of: n, host: hosts[i%len(hosts)], left: bytes})
	}
	return nil
}

// snapshot is what the active drawings leave.
func (f *fabric) snapshot(counted float64) *predict.Snapshot {
	rates := make([]float64, len(f.load))
	for link, rate := range f.load {
		rates[link] = counted * rate
	}
	s := &predict.Snapshot{Tree: f.tree.Less(topology.Promise{Rates: rates}), Hosts: make([]predict.Host, len(f.tree.Hosts))}
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

// local is the part of a drawing that its own rack has.
func (f *fabric) local(d *drawing) (part float64) {
	mappers := f.all[d.of].mappers
	for _, rack := range mappers {
		if rack == f.tree.Hosts[d.host].Rack {
			part += 1 / float64(len(mappers))
		}
	}
	return part
}

// count adds up what the links above the hosts bear.
func (f *fabric) count() {
	f.load = make([]float64, f.tree.Links())
	for i := range f.active {
		d := &f.active[i]
		d.rate = f.sharing.Rate(i)
		rack, mappers := f.tree.Hosts[d.host].Rack, f.all[d.of].mappers
		for _, from := range mappers {
			if from != rack {
				f.load[f.tree.Up(from)] += d.rate / float64(len(mappers))
				f.load[f.tree.Down(rack)] += d.rate / float64(len(mappers))
			}
		}
	}
}
