package predict

import "math"

// kept is what a host, or all of them, keep for one task of a stage.
type kept struct {
	bytes    float64
	requests float64 // beside those for elements
}

// count adds up what hosts keep for a task of a stage whose sources are complete.
func (p *Predictor) count(s *stage) {
	s.counted, s.total = true, kept{}
	s.kept = zeroed(s.kept, p.width)
	s.racks = zeroed(s.racks, len(p.snapshot.Tree.Racks))
	s.readers = zeroed(s.readers, len(p.snapshot.Tree.Racks))
	for at := range p.groups {
		k := &s.kept[at]
		for i := range s.from {
			from := &s.from[i]
			cell := from.stage*p.width + at
			if p.bytes[cell] <= 0 {
				continue
			}
			k.bytes += from.share * p.bytes[cell]
			if !from.element {
				k.requests += math.Ceil(p.files[cell] / from.batch)
			}
		}
		hosts := float64(p.groups[at].hosts)
		s.total.bytes += k.bytes * hosts
		s.total.requests += k.requests * hosts
		s.racks[p.groups[at].rack] += k.bytes * hosts
	}
	s.inRacks = 0
	for _, bytes := range s.racks {
		s.inRacks += bytes
	}
}
