package guard

import (
	"math/rand/v2"
	"testing"
	"time"
)

// starve drives a Ration beside a primary that leaves nothing: batch work runs
// only while it is raised, at so many cores. It returns its CPU seconds.
func starve(r *Ration, d time.Duration, cores float64) (used float64, raised time.Duration) {
	const step = 10 * time.Millisecond
	up := false
	for now := time.Unix(1000, 0); d > 0; d -= step {
		if now = now.Add(step); up {
			used += cores * step.Seconds()
			raised += step
		}
		up = r.Step(now, used, true)
	}
	return used, raised
}

func TestStarvedWorkGetsItsRationEachPeriod(t *testing.T) {
	r := Ration{After: 10 * time.Second, Run: 100 * time.Millisecond}
	used, _ := starve(&r, 1010*time.Second, 0.5)
	if want := 100 * 0.1; used < 0.95*want || used > 1.1*want {
		t.Errorf("%.2f CPU seconds in 100 periods, want about %v", used, want)
	}
	if got := r.Longest(); got < 9*time.Second || got > 10100*time.Millisecond {
		t.Errorf("the longest gap is %v, want about 10 s", got)
	}
}

func TestSliceEndsWhateverItBrought(t *testing.T) {
	r := Ration{After: 10 * time.Second, Run: 100 * time.Millisecond}
	used, raised := starve(&r, 1000*time.Second, 0.001)
	if most := 1000 * time.Second / (sliceParts + 1); raised > most+time.Second || used > 0.5 {
		t.Errorf("raised for %v, want at most %v", raised, most)
	}
}

func TestATaskThatRunsOrWaitsForNothingIsNotRaised(t *testing.T) {
	r, off := Ration{After: time.Second, Run: 100 * time.Millisecond}, Ration{After: time.Second}
	seed := rand.Uint64()
	chance, used := rand.New(rand.NewPCG(seed, 2)), 0.0
	for i := range 10_000 {
		now := time.Unix(1000, 0).Add(time.Duration(i) * 50 * time.Millisecond)
		wants := i%15 != 0 || chance.IntN(2) == 0
		if i < 5000 { // 0.4 cores
			used += 0.02
		} else { // nothing, but it does not want for long
			wants = i%15 != 0
		}
		if r.Step(now, used, wants) {
			t.Fatalf("seed %d: raised at step %d, want no change", seed, i)
		}
		if off.Step(now, used, true) {
			t.Fatalf("raised at step %d while turned off, want no change", i)
		}
	}
}

func TestSlowTrickleIsNoGap(t *testing.T) {
	r := Ration{}
	now := time.Unix(1000, 0)
	for i := range 1000 { // 0.1 ms of CPU in 20 ms
		r.Step(now.Add(time.Duration(i)*20*time.Millisecond), float64(i)*1e-4, true)
	}
	if r.Longest() > 200*time.Millisecond {
		t.Errorf("Longest() = %v in work that trickles, want at most 200ms", r.Longest())
	}
}
