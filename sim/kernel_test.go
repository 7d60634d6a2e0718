package sim

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"time"
)

// The slow twin of the heap: a list, sorted at the end.
func TestTimersFireByTimeAndThenInOrder(t *testing.T) {
	for seed := range uint64(20) {
		rng := stream(seed, "kernel")
		var k kernel
		type due struct {
			at    time.Duration
			order int
			id    int
		}
		want, got := map[int]due{}, []int{}
		timers := make([]timer, 50)
		for i := range timers {
			timers[i].do = func() { got = append(got, i) }
		}
		for order := range 400 {
			i, at := rng.IntN(len(timers)), time.Duration(rng.IntN(30))
			switch rng.IntN(4) {
			case 0:
				k.disarm(&timers[i])
				delete(want, i)
			case 1:
				if before, ok := want[i]; ok && before.at <= at {
					k.armEarlier(&timers[i], at)
					continue
				}
				k.armEarlier(&timers[i], at)
				want[i] = due{at, order, i}
			default:
				k.arm(&timers[i], at)
				want[i] = due{at, order, i}
			}
		}
		var list []due
		for _, d := range want {
			list = append(list, d)
		}
		slices.SortFunc(list, func(a, b due) int { return cmp.Or(cmp.Compare(a.at, b.at), a.order-b.order) })
		for k.step(endOfTime) {
			if d := want[got[len(got)-1]]; d.at != k.now {
				t.Fatalf("seed %d: timer %d fires at %d, want %d", seed, d.id, k.now, d.at)
			}
		}
		for i := range list {
			if len(got) != len(list) || got[i] != list[i].id {
				t.Fatalf("seed %d: timers fired as %v, want %v", seed, got, list)
			}
		}
	}
}

func TestATimerIsNeverLateForAnother(t *testing.T) {
	var k kernel
	k.after(5, func() { k.after(-3, func() {}) }) // what is over means now
	for k.step(7) {
		if k.now != 5 {
			t.Errorf("time of the step = %d, want 5", k.now)
		}
	}
	k.after(3, func() { t.Error("step(7) fires the timer that is due at 8, want it to wait") })
	if k.step(7) {
		t.Error("step(7) with a timer due at 8 = true, want false")
	}
}

// The mean over ten seconds, against the sum of a step function.
func TestThePrimarysMean(t *testing.T) {
	load := Series{Every: 3 * time.Second, Cores: []float64{1, 1, 4, 0, 2.5, 2.5, 3}}
	p := newPrimary(load, -warmUp)
	for now := time.Duration(0); now < 2*time.Minute; now += time.Second {
		if now >= p.until {
			p.change(now)
		}
		sum := 0.0
		for back := range idleWindow / time.Second {
			cores, _ := load.At(max(now-(back+1)*time.Second, 0))
			sum += cores / 10
		}
		if got := p.mean(now, idleWindow); math.Abs(got-sum) > 1e-9 {
			t.Fatalf("mean(%v, %v) = %v, want %v", now, idleWindow, got, sum)
		}
		last, _ := load.At(max(now-time.Second, 0))
		if got := p.mean(now, time.Second); math.Abs(got-last) > 1e-9 {
			t.Fatalf("mean(%v, %v) = %v, want %v", now, time.Second, got, last)
		}
	}
	if len(p.past) > 6 {
		t.Errorf("changes kept = %d, want at most 6, those of ten seconds", len(p.past))
	}
}
