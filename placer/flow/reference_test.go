package flow

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// drawn is a network as the definition has it: what each flow loads each link with, in all.
type drawn struct {
	capacity []float64
	weight   []float64
	loads    [][]float64
	gone     []bool
	rates    []float64
}

// fill is the definition of progressive filling, without any of Sharing's shortcuts: in each round every link is
// added up anew, and those that fill up first stop their flows.
func (d *drawn) fill() {
	fixed := append([]bool(nil), d.gone...)
	d.rates = make([]float64, len(d.weight))
	for {
		first, levels := math.Inf(1), make([]float64, len(d.capacity))
		for l, capacity := range d.capacity {
			slope := 0.0
			for f, w := range d.weight {
				if fixed[f] {
					capacity -= d.rates[f] * d.loads[f][l]
				} else {
					slope += w * d.loads[f][l]
				}
			}
			if levels[l] = math.Inf(1); slope > 0 {
				levels[l] = max(capacity, 0) / slope
			}
			first = min(first, levels[l])
		}
		if math.IsInf(first, 1) {
			break
		}
		for l, level := range levels {
			for f, w := range d.weight {
				if level <= first*(1+1e-12) && !fixed[f] && d.loads[f][l] > 0 {
					fixed[f], d.rates[f] = true, w*first
				}
			}
		}
	}
	for f := range fixed {
		if !fixed[f] {
			d.rates[f] = math.Inf(1)
		}
	}
}

// begin draws links and commons, and adds them to the sharing, too.
func begin(t *rapid.T, s *Sharing) (d *drawn, commons [][]float64) {
	d = &drawn{}
	for range rapid.IntRange(1, 30).Draw(t, "links") {
		c := capacities(t)
		d.capacity = append(d.capacity, c)
		s.Link(c)
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "commons") {
		s.Common()
		commons = append(commons, make([]float64, len(d.capacity)))
		for l := range d.capacity {
			if rapid.IntRange(0, 2).Draw(t, "loaded") > 0 {
				commons[i][l] = amounts(t)
				s.LoadCommon(l, commons[i][l])
			}
		}
	}
	return d, commons
}

// Some draws are of few values, so that links fill up together.
func capacities(t *rapid.T) float64 {
	return rapid.OneOf(rapid.Float64Range(1, 100), rapid.SampledFrom([]float64{10, 20, 100})).Draw(t, "capacity")
}

func amounts(t *rapid.T) float64 {
	return rapid.OneOf(rapid.Float64Range(0.1, 2), rapid.SampledFrom([]float64{0.5, 1})).Draw(t, "amount")
}

// add draws a flow: of a common of which it takes something back on some links, or by itself, or both.
func (d *drawn) add(t *rapid.T, s *Sharing, commons [][]float64) {
	weight, loads := float64(rapid.IntRange(1, 8).Draw(t, "weight")), make([]float64, len(d.capacity))
	s.Flow(weight)
	if c := rapid.IntRange(-1, len(commons)-1).Draw(t, "common"); c >= 0 {
		per := amounts(t)
		s.Join(c, per)
		for l, v := range commons[c] {
			loads[l] = per * v
		}
	}
	for range rapid.IntRange(0, 4).Draw(t, "own") {
		l := rapid.IntRange(0, len(loads)-1).Draw(t, "link")
		own := amounts(t)
		if loads[l] > 0 {
			own = -loads[l] * rapid.SampledFrom([]float64{1, 0.25, -1}).Draw(t, "back")
		}
		if named(s, l) {
			continue
		}
		s.Load(l, own)
		loads[l] += own
	}
	d.weight, d.loads, d.gone = append(d.weight, weight), append(d.loads, loads), append(d.gone, false)
}

// named reports whether the last flow loads a link by itself already.
func named(s *Sharing, link int) bool {
	f := &s.flows[len(s.flows)-1]
	for _, at := range s.loads[f.first:f.end] {
		if int(at.link) == link {
			return true
		}
	}
	return false
}

// TestAsTheDefinition: the rates are those of the definition, however flows come and go between two fillings.
func TestAsTheDefinition(t *testing.T) {
	var s Sharing
	rapid.Check(t, func(t *rapid.T) {
		s.Reset()
		d, commons := begin(t, &s)
		for range rapid.IntRange(1, 4).Draw(t, "fillings") {
			for range rapid.IntRange(0, 12).Draw(t, "come") {
				d.add(t, &s, commons)
			}
			for f := range d.gone {
				if !d.gone[f] && rapid.IntRange(0, 5).Draw(t, "goes") == 0 {
					d.gone[f] = true
					s.Remove(f)
				}
			}
			s.Fill()
			d.fill()
			for f, want := range d.rates {
				if got := s.Rate(f); got != want && !(math.Abs(got-want) <= 1e-9*want) {
					t.Fatalf("flow %d has %v, want %v", f, got, want)
				}
			}
		}
	})
}
