package monitor

import (
	"bytes"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"lull/monitor/usual"
	"lull/subjects"
)

// leaving is a source of a host that leaves so many cores idle.
func leaving(cores func(at time.Duration) float64) *source {
	start := time.Now()
	return newSource("cpu", func(now time.Time) (func(*subjects.Usage), error) {
		idle := cores(now.Sub(start))
		return func(u *subjects.Usage) { u.Cores, u.Idle = 8, idle }, nil
	})
}

func TestSamplesTellWhatTheHostUsuallyLeavesIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := scripted(t, new(bytes.Buffer), leaving(func(at time.Duration) float64 {
			if at > 30*time.Minute {
				return 0
			}
			return 6
		}))
		var kept [][]byte
		m.config.Keep = func(body []byte) { kept = append(kept, body) }
		run(t, m, func(n int, u subjects.Usage) bool {
			if n == 2 && (u.Usual < 5.9 || u.Usual > 6 || u.Observed > 3) {
				t.Errorf("after two seconds: %v cores over %v s, want 5.9 to 6 over at most 3", u.Usual, u.Observed)
			}
			if n == 3600 && (math.Abs(u.Usual-3) > 0.01 || math.Abs(u.Observed-3600) > 2 || u.Idle > 0) {
				t.Errorf("after half an hour idle and half an hour busy: %v cores over %v s, %v idle, want 3 over 3600, none", u.Usual, u.Observed, u.Idle)
			}
			return n < 3600
		})
		if len(kept) < 6 || len(kept) > 8 {
			t.Fatalf("kept %d times in an hour, want 6 to 8", len(kept))
		}
		again, err := usual.Decode(kept[len(kept)-1])
		if err != nil {
			t.Fatal(err)
		}
		if cores, _ := again.Mean(); math.Abs(cores-3) > 0.01 {
			t.Errorf("mean of what is kept = %v cores, want 3", cores)
		}
	})
}
