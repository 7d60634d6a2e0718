package spectrum

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"lull/classifier/series"
	"lull/subjects/profile"
)

// monday is a midnight at the start of a week.
var monday = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

// made is a series of hours by a rule, with noise of a hundredth of the cores.
func made(days int, rule func(day int, hour float64) float64) *series.Hours {
	rng := rand.New(rand.NewPCG(3, uint64(days)))
	h := &series.Hours{Start: monday}
	for i := range 24 * days {
		v := rule(i/24, float64(i%24)) + 0.01*rng.NormFloat64()
		h.Mean = append(h.Mean, min(max(v, 0), 1))
	}
	h.Peak = h.Mean
	return h
}

// daily is high in the afternoon.
func daily(hour float64) float64 { return 0.3 - 0.2*math.Cos(2*math.Pi*(hour-3)/24) }

// bursts are 0.8 for some hours after random times, the same for every call.
func bursts(day int, hour float64) float64 {
	rng := rand.New(rand.NewPCG(uint64(day/3), 5))
	start := 72 * rng.Float64()
	if at := 24*float64(day%3) + hour; at >= start && at < start+9 {
		return 0.8
	}
	return 0.05
}

func TestPatterns(t *testing.T) {
	tests := []struct {
		name  string
		days  int
		rule  func(day int, hour float64) float64
		wants profile.Pattern
	}{
		{"even", 28, func(int, float64) float64 { return 0.3 }, profile.Constant},
		{"off", 28, func(int, float64) float64 { return 0 }, profile.Constant},
		{"day and night", 28, func(_ int, hour float64) float64 { return daily(hour) }, profile.Periodic},
		{"two hours each night", 28, func(_ int, hour float64) float64 { return step(hour == 3 || hour == 4) }, profile.Periodic},
		{"bursts", 28, bursts, profile.Unpredictable},
		{"bursts in a week", 7, bursts, profile.Unpredictable},
		{"three days", 3, func(_ int, hour float64) float64 { return daily(hour) }, profile.Periodic},
		{"a working week", 28, func(day int, hour float64) float64 {
			return step(day%7 < 5 && hour >= 8 && hour < 18)
		}, profile.Periodic},
		{"clocks go forward in the middle", 28, func(day int, hour float64) float64 {
			if day >= 14 {
				hour++
			}
			return daily(hour)
		}, profile.Periodic},
		{"two hours each night, clocks go forward", 28, func(day int, hour float64) float64 {
			return step((hour == 3 || hour == 4) && day < 14 || (hour == 2 || hour == 3) && day >= 14)
		}, profile.Periodic},
		{"an even tenant's migration", 28, func(day int, _ float64) float64 { return 0.3 + 0.6*step(day == 11) }, profile.Constant},
		{"an even tenant's migration in a week", 7, func(day int, _ float64) float64 { return 0.3 + 0.6*step(day == 3) }, profile.Constant},
		{"a periodic tenant's migration", 28, func(day int, hour float64) float64 {
			if day == 20 {
				return 1
			}
			return daily(hour) / 3
		}, profile.Periodic},
		{"one day", 1, func(_ int, hour float64) float64 { return daily(hour) }, profile.Unpredictable},
		{"nothing", 0, daysOff, profile.Unpredictable},
	}
	a := NewAnalyser()
	for _, test := range tests {
		shape := a.Shape(made(test.days, test.rule))
		if got, confidence := Judge(shape); got != test.wants {
			t.Errorf("%s: %v at confidence %.2f, want %v; %+v", test.name, got, confidence, test.wants, shape)
		}
	}
}

func step(on bool) float64 {
	if on {
		return 0.5
	}
	return 0.02
}

func daysOff(int, float64) float64 { return 0 }

func TestGapsAreNoZeros(t *testing.T) {
	even := made(28, func(int, float64) float64 { return 0.5 })
	for i := range even.Mean {
		if i%5 == 0 || i/24 == 9 {
			even.Mean[i] = math.NaN()
		}
	}
	shape := NewAnalyser().Shape(even)
	if p, _ := Judge(shape); p != profile.Constant || shape.Swing > 0.05 {
		t.Errorf("Judge(%+v) = %v, want constant with a swing of at most 0.05", shape, p)
	}
	if shape.Days > 22 {
		t.Errorf("Days = %.1f of 27 with a fifth missing, want at most 22", shape.Days)
	}
}

// A tenant near a bound does not change its pattern from day to day.
func TestAPatternStaysNearItsBound(t *testing.T) {
	for _, test := range []struct {
		shape Shape
		fresh profile.Pattern
		after map[profile.Pattern]profile.Pattern
	}{
		{Shape{Days: 28, Swing: 0.055, Daily: 0.1}, profile.Unpredictable, map[profile.Pattern]profile.Pattern{
			profile.Constant: profile.Constant, profile.Unpredictable: profile.Unpredictable,
		}},
		{Shape{Days: 28, Swing: 0.2, Daily: 0.37}, profile.Unpredictable, map[profile.Pattern]profile.Pattern{
			profile.Periodic: profile.Periodic, profile.Unpredictable: profile.Unpredictable,
		}},
		{Shape{Days: 28, Swing: 0.2, Daily: 0.43}, profile.Periodic, map[profile.Pattern]profile.Pattern{
			profile.Periodic: profile.Periodic, profile.Unpredictable: profile.Unpredictable,
		}},
		{Shape{Days: 28, Swing: 0.2, Daily: 0.9}, profile.Periodic, map[profile.Pattern]profile.Pattern{
			profile.Constant: profile.Periodic, profile.Unpredictable: profile.Periodic,
		}},
	} {
		if p, _ := Judge(test.shape); p != test.fresh {
			t.Errorf("%+v: %v, want %v", test.shape, p, test.fresh)
		}
		for last, wants := range test.after {
			if p, _ := JudgeAgain(test.shape, last); p != wants {
				t.Errorf("%+v after %v: %v, want %v", test.shape, last, p, wants)
			}
		}
	}
}

func TestConfidenceGrowsWithDistanceAndDays(t *testing.T) {
	_, far := Judge(Shape{Days: 28, Swing: 0.3, Daily: 0.9})
	_, near := Judge(Shape{Days: 28, Swing: 0.3, Daily: 0.41})
	_, young := Judge(Shape{Days: 3, Swing: 0.3, Daily: 0.9})
	if far != 1 || near > 0.6 || near < 0.5 || young > 0.5 {
		t.Errorf("confidence far from, near a bound, after three days = %v, %v, %v, want 1, 0.5 to 0.6, at most 0.5", far, near, young)
	}
}

// The slow twin sums sines and cosines, and asks of each frequency whether a day or week holds whole cycles.
func TestSharesMatchASlowTransform(t *testing.T) {
	h := made(14, func(day int, hour float64) float64 { return daily(hour)*float64(1+day%7) + bursts(day, hour) })
	shape := NewAnalyser().Shape(h)
	n := len(h.Mean)
	var all, day, week float64
	for k := 1; k <= n/2; k++ {
		var re, im float64
		for i, v := range h.Mean {
			re += v * math.Cos(2*math.Pi*float64(k*i)/float64(n))
			im += v * math.Sin(2*math.Pi*float64(k*i)/float64(n))
		}
		e := re*re + im*im
		if k == n/2 {
			e /= 2
		}
		all += e
		if 24*k%n == 0 { // whole cycles a day
			day += e
		}
		if 168*k%n == 0 {
			week += e
		}
	}
	if math.Abs(shape.Daily-day/all) > 1e-9 {
		t.Errorf("daily share %v, want %v", shape.Daily, day/all)
	}
	if noise := 0.5; math.Abs(shape.Weekly-max(0, (week/all-noise)/(1-noise))) > 1e-9 {
		t.Errorf("weekly share = %v of %v, want what exceeds the noise", shape.Weekly, week/all)
	}
}

// A sine of an amplitude has that amplitude in its band.
func TestBandsAreAmplitudes(t *testing.T) {
	h := &series.Hours{Start: monday}
	for i := range 24 * 28 {
		h.Mean = append(h.Mean, 0.5+0.2*math.Sin(2*math.Pi*float64(i)/24))
	}
	shape := NewAnalyser().Shape(h)
	if got := shape.Bands[2]; math.Abs(got-0.2/math.Sqrt2) > 1e-9 {
		t.Errorf("the day's band holds %v, want the root of the mean square, %v", got, 0.2/math.Sqrt2)
	}
	for b, v := range shape.Bands {
		if b != 2 && v > 1e-9 {
			t.Errorf("band %d = %v, want 0", b, v)
		}
	}
}
