package book

import (
	"math/rand/v2"
	"testing"
)

func TestBrokenPromisesRaiseTheMarginWhateverTheirTasksTook(t *testing.T) {
	var c Calibration
	for range Enough {
		c.learn(outcome{service: 0.8, over: 0.5})
	}
	c.learn(outcome{service: 0.8, over: 1.02})
	if c.Margin < blame-0.01 || c.Margin > blame {
		t.Errorf("margin after one broken promise = %v, want at most %v and near it", c.Margin, blame)
	}
	for range 100 {
		c.learn(outcome{service: 0.8, over: 0.5})
	}
	if c.Margin > 0 {
		t.Errorf("margin after a hundred kept promises = %v, want at most 0", c.Margin)
	}
}

func TestNineOutcomesInTenLieWithinTheBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	next := func() float64 { return 0.6 + 0.2*rng.ExpFloat64() }
	var r ratios
	inside, all := 0, 0
	for range 4000 {
		x := next()
		if low, high, ok := r.Bounds(); ok {
			all++
			if low <= x && x <= high {
				inside++
			}
		}
		r.add(x)
	}
	if share := float64(inside) / float64(all); share < 0.88 || share > 0.95 {
		t.Errorf("share of outcomes within the interval = %.3f, want 0.88 to 0.95", share)
	}
}

func TestPromisesThatBreakTogetherAreOneMisfortune(t *testing.T) {
	var c Calibration
	for i := range Enough {
		c.learn(outcome{service: 1, over: 0.5, ended: int64(i)})
	}
	for i := range int64(12) {
		c.learn(outcome{service: 1, over: 3, made: 50 + i, ended: 100 + i})
	}
	if c.Margin < 0.49 || c.Margin > 0.51 {
		t.Errorf("margin after twelve broken promises at once = %v, want 0.5", c.Margin)
	}
	c.learn(outcome{service: 1, over: 3, made: 101, ended: 200})
	if c.Margin < 0.99 || c.Margin > 1.01 {
		t.Errorf("margin after a broken promise that was made with it = %v, want 1", c.Margin)
	}
	for range 150 {
		c.learn(outcome{service: 1, over: 0.5})
	}
	if c.Margin > 0.25 {
		t.Errorf("margin after 150 kept promises = %v, want at most 0.25", c.Margin)
	}
}
