package main

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestLoadKeepsItsMeanAndFluctuates(t *testing.T) {
	for _, mean := range []float64{0, 0.1, 0.5, 0.95, 1} {
		w := wave{rng: rand.New(rand.NewPCG(1, 2))}
		const n = 100_000 // a quarter of an hour
		sum, squares := 0.0, 0.0
		for range n {
			x := w.load(mean)
			if x < 0 || x > 1 {
				t.Fatalf("load(%v) = %v, want 0 to 1", mean, x)
			}
			sum, squares = sum+x, squares+(x-mean)*(x-mean)
		}
		room := min(mean, 1-mean)
		if got := sum / n; math.Abs(got-mean) > 0.02*room {
			t.Errorf("mean of load(%v) = %v, want %v ± %v", mean, got, mean, 0.02*room)
		}
		if got := math.Sqrt(squares / n); math.Abs(got-swing*room) > 0.1*swing*room+1e-9 {
			t.Errorf("deviation of load(%v) = %v, want %v", mean, got, swing*room)
		}
	}
}

func TestLevelsAreFollowedUntilTheirEnd(t *testing.T) {
	asked := new(share)
	if err := follow(strings.NewReader("0.25\n 0.5\n"), asked); err != nil || asked.get() != 0.5 {
		t.Errorf("follow(0.25, 0.5) = %v with the share %v, want 0.5", err, asked.get())
	}
	for _, bad := range []string{"x\n", "1.1\n", "-0.1\n", "NaN\n"} {
		if err := follow(strings.NewReader(bad), asked); err == nil {
			t.Errorf("follow(%q) = nil error, want an error", bad)
		}
	}
}
