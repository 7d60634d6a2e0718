package flow

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestHandMade(t *testing.T) {
	var s Sharing
	thin, wide := s.Link(10), s.Link(100)
	both := s.Flow(1)
	s.Load(thin, 1)
	s.Load(wide, 1)
	beside := s.Flow(1)
	s.Load(thin, 1)
	rest := s.Flow(1)
	s.Load(wide, 1)
	free := s.Flow(1)
	expect := func(flow int, want float64) {
		t.Helper()
		if got := s.Rate(flow); math.Abs(got-want) > 1e-9 {
			t.Errorf("flow %d has %v, want %v", flow, got, want)
		}
	}
	s.Fill()
	expect(both, 5)
	expect(beside, 5)
	expect(rest, 95)
	if !math.IsInf(s.Rate(free), 1) {
		t.Errorf("Rate(a flow over no link) = %v, want infinity", s.Rate(free))
	}
	s.Remove(beside)
	s.Fill()
	expect(both, 10)
	expect(beside, 0)
	expect(rest, 90)
}

func TestWeightsAndParts(t *testing.T) {
	var s Sharing
	l := s.Link(12)
	heavy := s.Flow(2)
	s.Load(l, 1)
	half := s.Flow(2) // only half of its bytes go over the link
	s.Load(l, 0.5)
	s.Fill()
	if s.Rate(heavy) != s.Rate(half) || math.Abs(s.Rate(heavy)-8) > 1e-9 {
		t.Errorf("%v and %v, want 8 and 8", s.Rate(heavy), s.Rate(half))
	}
}

// TestFairOnRandomNetworks proves fairness of random networks by its definition: no link bears more
// than it can, and each flow has a full link on its way over which no flow has more for its weight.
func TestFairOnRandomNetworks(t *testing.T) {
	var s Sharing
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s.Reset()
		links := 1 + rng.IntN(10)
		for range links {
			s.Link(1 + 100*rng.Float64())
		}
		for range 1 + rng.IntN(40) {
			f := s.Flow(float64(1 + rng.IntN(8)))
			for l := range links {
				if l == f%links || rng.IntN(3) == 0 {
					s.Load(l, 0.1+rng.Float64())
				}
			}
			if rng.IntN(6) == 0 {
				s.Remove(f)
			}
		}
		s.Fill()
		used, highest := make([]float64, links), make([]float64, links)
		for _, f := range s.flows {
			for _, at := range s.loads[f.first:f.end] {
				used[at.link] += f.rate * at.per
				highest[at.link] = max(highest[at.link], f.rate/f.weight)
			}
		}
		for l, u := range used {
			if u > s.capacity[l]*(1+1e-9) {
				t.Fatalf("seed %d: link %d bears %v, want at most %v", seed, l, u, s.capacity[l])
			}
		}
		for i, f := range s.flows {
			bounded := f.gone
			for _, at := range s.loads[f.first:f.end] {
				full := used[at.link] >= s.capacity[at.link]*(1-1e-9)
				bounded = bounded || full && f.rate/f.weight >= highest[at.link]*(1-1e-9)
			}
			if !bounded {
				t.Fatalf("seed %d: flow %d has %v and could have more without taking from one with less, want the most", seed, i, f.rate)
			}
		}
	}
}

func TestFillDoesNotAllocate(t *testing.T) {
	var s Sharing
	fill := func() {
		s.Reset()
		for range 20 {
			s.Link(100)
		}
		for f := range 100 {
			s.Flow(1)
			s.Load(f%20, 1)
			s.Load((f+7)%20, 2)
		}
		s.Fill()
	}
	fill()
	if n := testing.AllocsPerRun(20, fill); n > 0 {
		t.Errorf("filling allocates %v times, want 0", n)
	}
}
