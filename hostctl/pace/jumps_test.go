package pace

import (
	"math"
	"math/rand/v2"
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

// follower sets the caps of a task: a Driver, or the same law at full gain.
type follower func(measured, inForce float64) (cores float64)

// followers of a reference, and the cap to begin with.
func followers(t *testing.T, m Model, reference float64) (jumps, full follower, first float64) {
	t.Helper()
	d, c := NewDriver(&m, 1), controllerFor(t, m)
	jumps = func(measured, inForce float64) float64 { return d.Step(measured, inForce, reference) }
	full = func(measured, inForce float64) float64 { return c.Step(measured, reference, inForce) }
	return jumps, full, d.First(reference)
}

// trace is what a sort reads in some samples, in bytes/s, and its caps.
func trace(f follower, p *sorter, cores float64, samples int) (rates, caps []float64) {
	for range samples {
		rate := p.step(cores)
		cores = f(rate, cores)
		rates, caps = append(rates, rate), append(caps, cores)
	}
	return rates, caps
}

// sortModel is what a trial of the benchmarks' sort shows, about.
var sortModel = Model{A: 0, B: 44e6, R2: 0.97}

// With a fifth of a core a sort reads a run in about two samples.
func TestBurstsDoNotSwingTheCap(t *testing.T) {
	rng := random(t, 1)
	for _, cores := range []float64{0.2, 0.35, 0.5} {
		const tries = 50
		var swing, atFull float64
		for range tries {
			jumps, full, first := followers(t, sortModel, cores*sortModel.B)
			_, caps := trace(jumps, newSorter(rng, 0.002), first, 60)
			_, fullCaps := trace(full, newSorter(rng, 0.002), first, 60)
			swing += deviation(caps[20:]) / tries
			atFull += deviation(fullCaps[20:]) / tries
		}
		t.Logf("%v cores: the cap deviates by %.2f of its mean, at full gain by %.2f", cores, swing, atFull)
		if swing > 0.15 {
			t.Errorf("%v cores: the cap deviates by %.2f of its mean, want at most 0.15", cores, swing)
		}
	}
}

// Two sorts share a rate. In four tries of five, after at most fifteen samples the mean of each
// second stays within a run of the rate for three seconds.
func TestSortsSettle(t *testing.T) {
	rng := random(t, 2)
	for _, disk := range []float64{0.001, 0.005, 0.01} {
		const tries = 100
		late, lateAtFull := 0, 0
		for range tries {
			late += pairIsLate(t, rng, disk, false)
			lateAtFull += pairIsLate(t, rng, disk, true)
		}
		t.Logf("a wait of %v s a run: %d of %d settle late, at full gain %d", disk, late, tries, lateAtFull)
		if late > tries/5 {
			t.Errorf("a wait of %v s a run: %d of %d settle late, want at most a fifth", disk, late, tries)
		}
	}
}

// pairIsLate is 1 if two sorts, each at a fifth of a core, do not settle within fifteen samples.
func pairIsLate(t *testing.T, rng *rand.Rand, disk float64, atFull bool) int {
	t.Helper()
	reference := 0.2 * sortModel.B
	sum := make([]float64, 40)
	for range 2 {
		follow, full, first := followers(t, sortModel, reference)
		if atFull {
			follow = full
		}
		rates, _ := trace(follow, newSorter(rng, disk), first, len(sum))
		for k, rate := range rates {
			sum[k] += rate
		}
	}
	if secondsSettle(sum, 2*reference, 4<<20) > 15 {
		return 1
	}
	return 0
}

// secondsSettle returns the first sample after which the means of fifteen seconds, of five samples
// each, are within a tenth of the reference or within a run.
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
	cores, trace := d.taken, []float64(nil)
	for range 30 {
		trace = append(trace, p.step(cores))
		cores = d.Step(trace[len(trace)-1], cores, 15e6)
	}
	if at := settled(trace, 15e6, 0.1); at > 8 {
		t.Errorf("within a tenth after %d samples, want 8: %.3g", at, trace[:15])
	}
}

// A sort that merges reads nothing for long: it gets all that it may, soon.
func TestSilenceIsNoBurst(t *testing.T) {
	model := Model{A: 0, B: 44e6}
	d, p := NewDriver(&model, 1), newSorter(random(t, 4), 0.001)
	cores := d.First(9e6)
	for range 40 {
		cores = d.Step(p.step(cores), cores, 9e6)
	}
	for range maxSilent + 8 {
		cores = d.Step(0, cores, 9e6)
	}
	if !within(cores, 1, 1e-9) {
		t.Errorf("cap %.2f, want all of the core", cores)
	}
}

func TestJumpsAreOfNeighbours(t *testing.T) {
	j := newJumps()
	if j.share() != 1 {
		t.Errorf("share() before anything was seen = %v, want 1", j.share())
	}
	for k := range 40 {
		j.add(10+float64(k%2), 10) // by a tenth, to and fro: a variance of half of that squared
	}
	if s := j.share(); s != 1 {
		t.Errorf("small jumps: %v of the gains, want all", s)
	}
	for k := range 100 {
		j.add(20*float64(k%2), 10)
	}
	if s := j.share(); s != minGainShare {
		t.Errorf("large jumps: %v of the gains, want %v", s, minGainShare)
	}
	j.rest()
	before := j.share()
	j.add(0, 0)
	j.add(math.Inf(1), 0)
	if j.share() != before {
		t.Errorf("share() after what tells nothing = %v, want %v", j.share(), before)
	}
}

// The whole margin stays stable at any share of the gains.
func TestAnyShareOfTheGainsIsStable(t *testing.T) {
	for _, a := range []float64{-0.1, 0, 0.1, 0.3, 0.5, 0.7} {
		n, ok := searchGains(a, Robust)
		if !ok {
			continue
		}
		for share := minGainShare; share <= 1; share += 0.05 {
			less := normal{share * n.p, share * n.i}
			if w := less.worst(a, Robust); !(w < 1) {
				t.Errorf("a = %v, %v of the gains: radius %v, want below 1", a, share, w)
			}
		}
	}
}
