package pace

import "testing"

// Two sorts that share a rate read about a run a sample each. Each second's mean of
// both is within a tenth of it after at most fifteen samples, for three seconds, in all
// but a few tries: a second has eleven runs, so one more or less is a tenth.
func TestBurstsDoNotKeepATaskFromItsReference(t *testing.T) {
	rng := random(t, 1)
	for _, disk := range []float64{0.0005, 0.001, 0.002, 0.005, 0.01} {
		late := 0
		const tries = 200
		for range tries {
			model := modelOf(t, newSorter(rng, disk))
			reference := 0.2 * model.Steady(1)
			sum := make([]float64, 40)
			for range 2 {
				d, p := NewDriver(&model, 1), newSorter(rng, disk)
				cap := d.First(reference)
				for k := range sum {
					rate := p.step(cap)
					sum[k] += rate / 2
					cap = d.Step(rate, cap, reference)
				}
			}
			if secondsSettle(sum, reference) > 15 {
				late++
			}
		}
		if late > tries/10 {
			t.Errorf("a wait of %v s a run: %d of %d do not settle", disk, late, tries)
		}
	}
}

// modelOf is what a trial of a sorter shows.
func modelOf(t *testing.T, p *sorter) Model {
	t.Helper()
	d, cap := NewDriver(nil, 1), 1.0
	for d.Trial() {
		cap = d.Step(p.step(cap), cap, 20e6)
	}
	if l := d.Learnt(); l.Refused != "" {
		t.Fatalf("learnt %+v", l)
	}
	return d.Learnt().Model
}

// secondsSettle is the first sample from which on fifteen seconds' means, of five
// samples each, are within a tenth of the reference.
func secondsSettle(trace []float64, reference float64) int {
	held := 0
	for at := range len(trace) - 4 {
		mean := 0.0
		for _, v := range trace[at : at+5] {
			mean += v / 5
		}
		if held++; !within(mean, reference, 0.1) {
			held = 0
		}
		if held == 15 {
			return at + 1 - held
		}
	}
	return len(trace)
}

// What a task makes of a core changes by half: that is no burst.
func TestASteadyTaskIsFollowedAtOnce(t *testing.T) {
	d := NewDriver(&Model{A: 0.1, B: 50e6}, 1)
	p := &plant{a: 0.1, b: 50e6, noise: 0.02, rng: random(t, 2)}
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
	model := Model{A: 0, B: 110e6}
	d, p := NewDriver(&model, 1), newSorter(random(t, 3), 0.001)
	cap := d.First(22e6)
	for range 40 {
		cap = d.Step(p.step(cap), cap, 22e6)
	}
	for range silence + 6 {
		cap = d.Step(0, cap, 22e6)
	}
	if !within(cap, 1, 1e-9) {
		t.Errorf("cap %.2f, want all of the core", cap)
	}
}
