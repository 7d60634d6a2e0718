package pace

import (
	"math"
	"testing"
)

// deviation is the standard deviation over the mean.
func deviation(values []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, v := range values {
		sum, squares = sum+v, squares+v*v
	}
	n := float64(len(values))
	return math.Sqrt(max(squares/n-sum*sum/n/n, 0)) / (sum / n)
}

// caps are those of a task from its twentieth sample to its sixtieth.
func caps(d *Driver, step func(cap float64) float64, reference float64) (list []float64) {
	cap := d.First(reference)
	for k := range 60 {
		cap = d.Step(step(cap), cap, reference)
		if k >= 20 {
			list = append(list, cap)
		}
	}
	return list
}

// With a quarter of a core a sort reads a run in about two samples: at full gain its cap
// went up and down by two fifths.
func TestBurstsDoNotSwingTheCap(t *testing.T) {
	rng := random(t, 1)
	model := Model{A: 0, B: 44e6, R2: 0.97}
	for _, cores := range []float64{0.2, 0.35, 0.5} {
		mean := 0.0
		const tries = 50
		for range tries {
			d, p := NewDriver(&model, 1), newSorter(rng, 0.002)
			mean += deviation(caps(d, p.step, cores*model.B)) / tries
		}
		if mean > 0.15 {
			t.Errorf("%v cores: the cap deviates by %.2f of its mean", cores, mean)
		}
	}
}

// Two sorts that share a rate: the mean of each second is within a run of it after at
// most fifteen samples, for three seconds, in four tries of five;
// at full gain it was two of three.
func TestSortsSettle(t *testing.T) {
	rng := random(t, 2)
	model := Model{A: 0, B: 44e6, R2: 0.97}
	for _, disk := range []float64{0.001, 0.005, 0.01} {
		late := 0
		const tries = 100
		for range tries {
			reference := 0.2 * model.B
			sum := make([]float64, 40)
			for range 2 {
				d, p := NewDriver(&model, 1), newSorter(rng, disk)
				cap := d.First(reference)
				for k := range sum {
					rate := p.step(cap)
					sum[k] += rate
					cap = d.Step(rate, cap, reference)
				}
			}
			if secondsSettle(sum, 2*reference, 4<<20) > 15 {
				late++
			}
		}
		if late > tries/5 {
			t.Errorf("a wait of %v s a run: %d of %d do not settle", disk, late, tries)
		}
	}
}

// secondsSettle is the first sample from which on fifteen seconds' means, of five
// samples each, are within a tenth, or within a run, of the reference.
func secondsSettle(trace []float64, reference, run float64) int {
	held := 0
	for at := range len(trace) - 4 {
		mean := 0.0
		for _, v := range trace[at : at+5] {
			mean += v / 5
		}
		if held++; math.Abs(mean-reference) > max(0.1*reference, run) {
			held = 0
		}
		if held == 15 {
			return at + 1 - held
		}
	}
	return len(trace)
}

// What a task makes of a core changes by a third, and stays so: that is no burst.
func TestARivalIsMetAtFullGain(t *testing.T) {
	d := NewDriver(&Model{A: 0.1, B: 50e6}, 1)
	p := &plant{a: 0.1, b: 50e6, noise: 0.02, rng: random(t, 3)}
	pass(d, p, 40, 15e6)
	p.b, p.noise = 33e6, 0
	cap, trace := d.taken, []float64(nil)
	for range 30 {
		trace = append(trace, p.step(cap))
		cap = d.Step(trace[len(trace)-1], cap, 15e6)
	}
	if at := settled(trace, 15e6, 0.1); at > 8 {
		t.Errorf("within a tenth after %d samples, want 8: %.3g", at, trace[:15])
	}
}

// A sort that merges reads nothing for long: it gets all that it may, soon.
func TestSilenceIsNoBurst(t *testing.T) {
	model := Model{A: 0, B: 44e6}
	d, p := NewDriver(&model, 1), newSorter(random(t, 4), 0.001)
	cap := d.First(9e6)
	for range 40 {
		cap = d.Step(p.step(cap), cap, 9e6)
	}
	for range silence + 8 {
		cap = d.Step(0, cap, 9e6)
	}
	if !within(cap, 1, 1e-9) {
		t.Errorf("cap %.2f, want all of the core", cap)
	}
}

func TestJumpsAreOfNeighbours(t *testing.T) {
	j := newJumps()
	if j.share() != 1 {
		t.Errorf("before anything was seen: %v of the gains", j.share())
	}
	for k := range 40 {
		j.see(10+float64(k%2), 10) // by a tenth, to and fro: a variance of half of that squared
	}
	if s := j.share(); s != 1 {
		t.Errorf("small jumps: %v of the gains, want all", s)
	}
	for k := range 100 {
		j.see(20*float64(k%2), 10)
	}
	if s := j.share(); s != gentlest {
		t.Errorf("large jumps: %v of the gains, want %v", s, gentlest)
	}
	j.rest()
	before := j.share()
	j.see(0, 0)
	j.see(math.Inf(1), 0)
	if j.share() != before {
		t.Errorf("what tells nothing changed the share from %v to %v", before, j.share())
	}
}

// The whole margin stays stable at any share of the gains.
func TestAnyShareOfTheGainsIsStable(t *testing.T) {
	for _, a := range []float64{-0.1, 0, 0.1, 0.3, 0.5, 0.7} {
		n, ok := search(a, Robust)
		if !ok {
			continue
		}
		for share := gentlest; share <= 1; share += 0.05 {
			less := normal{share * n.p, share * n.i}
			if w := less.worst(a, Robust); !(w < 1) {
				t.Errorf("a = %v, %v of the gains: radius %v", a, share, w)
			}
		}
	}
}
