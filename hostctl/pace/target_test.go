package pace

import "testing"

// A task reaches a new reference at once, even one with low gains.
func TestANewReferenceIsGoneToAtOnce(t *testing.T) {
	for _, noise := range []float64{0.01, 0.3} {
		rng, off := random(t, 5), 0.0
		const tries = 50
		for range tries {
			d := NewDriver(&Model{A: 0.05, B: 40e6}, 1)
			p := &plant{a: 0.05, b: 50e6, noise: noise, rng: rng} // a better one than its model
			pass(d, p, 40, 15e6)
			cores := d.Step(p.step(d.taken), d.taken, 30e6)
			off += (cores*50e6/0.95/30e6 - 1) / tries
		}
		if off < -0.1 || off > 0.1 {
			t.Errorf("noise of %v: the first cap is %.2f off what the reference takes, want at most 0.1", noise, off)
		}
	}
}

// A reference that changes all the time does not switch the law off.
func TestAReferenceThatChangesAllTheTimeIsFollowedByTheLaw(t *testing.T) {
	var to target
	leaps := 0
	for k := range 100 {
		if to.isNew(10e6 * (1 + 0.05*float64(k))) {
			leaps++
		}
	}
	if leaps > 100/minApart {
		t.Errorf("leaps in 100 samples = %d, want at most %d", leaps, 100/minApart)
	}
	still := target{}
	for range 100 {
		if still.isNew(10e6) {
			t.Fatal("isNew(the reference that it is at) = true, want false")
		}
	}
}
