package outlook

import (
	"math"
	"slices"
	"testing"
	"time"

	"lull/admission/span"
	"lull/subjects/profile"
	"lull/subjects/room"
	"lull/subjects/survival"
	"lull/subjects/tct"
)

// office uses 0.9 of the cores from 08:00 until 20:00 and 0.1 else: half of them on average.
func office(confidence float64) *survival.Outlook {
	p := profile.Profile{Pattern: profile.Periodic, Confidence: confidence, Average: 0.5}
	for hour := range 24 {
		used := 0.1
		if hour >= 8 && hour < 20 {
			used = 0.9
		}
		p.Hours = append(p.Hours, profile.Pack(used))
	}
	return survival.NewOutlook(&p)
}

var six = time.Date(2026, 3, 2, 18, 0, 0, 0, time.UTC)

func TestADayTellsWhatEachHourLeaves(t *testing.T) {
	for _, test := range []struct {
		confidence, hours, want float64 // hours from 18:00, and the cores of ten that are idle then
	}{
		{1, 1.5, 1}, {1, 3, 9}, {1, 13, 9}, {1, 15, 1}, {1, 100, 5}, {0.5, 1.5, 3}, {0.5, 3, 7}, {0, 3, 5},
	} {
		d := NewDay(office(test.confidence), six)
		o := d.Expect(1, 5, 10, 10, room.Reserve{})
		at := span.Of(test.hours * 3600)
		k := 0
		for at >= o.end(k) {
			k++
		}
		n, step := o.at(k)
		if got := float64(n*step) / tct.Steps; math.Abs(got-test.want) > 0.15 {
			t.Errorf("confidence %v: after %v h %.2f cores are idle, want %v", test.confidence, test.hours, got, test.want)
		}
	}
}

// A host that was never seen is taken to be like its tenant's others, and after a week it is mostly as it was seen.
func TestTheTenantsAverageStandsInForAHostsOwn(t *testing.T) {
	d := NewDay(office(1), six)
	for _, test := range []struct{ mean, days, want float64 }{{0, 0, 5}, {8, 1, 6.5}, {8, 7, 7.625}} {
		w := &Window{Mean: test.mean, Observed: test.days * 86400, Cores: 10}
		if got := d.Usual(w, 10); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%v cores idle for %v days: %v, want %v", test.mean, test.days, got, test.want)
		}
	}
}

// The night gives nine times what the evening gives, so its work is done sooner than the average says.
func TestTheWarpFollowsTheDay(t *testing.T) {
	d := NewDay(office(1), six)
	day := d.Expect(1, 5, 10, 10, room.Reserve{})
	still := Expect(5, 5, 10, room.Reserve{})
	w := NewWarp(slices.Values([]*Outlook{&day, &still}))
	for _, hours := range []float64{0.1, 0.5, 3, 13, 17, 30} {
		at := span.Of(hours * 3600)
		if got := w.Real(w.Even(at)); got < at-100 || got > at+100 {
			t.Errorf("Real(Even(%v h)) = %v, want it back within 100 µs", hours, got.Duration())
		}
	}
	// Two hours of 1 + 5 cores and six of 9 + 5 are 9.6 of 5 + 5.
	if got := w.Even(8 * hour).Duration().Hours(); math.Abs(got-9.6) > 0.3 {
		t.Errorf("eight hours from 18:00 are worth %.2f average ones, want 9.6", got)
	}
}
