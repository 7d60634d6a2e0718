package drift

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"lull/classifier/learn"
	"lull/classifier/series"
	"lull/subjects/profile"
)

var monday = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

// life is a tenant's usage over days by a rule.
func life(days int, rule func(day int, hour float64) float64) *series.Series {
	rng := rand.New(rand.NewPCG(6, 6))
	s := &series.Series{Start: monday, Step: 5 * time.Minute}
	for i := range 288 * days {
		v := rule(i/288, float64(i%288)/12) + 0.01*rng.NormFloat64()
		s.Mean = append(s.Mean, float32(min(max(v, 0), 1)))
	}
	return s
}

func wave(hour float64) float64 { return 0.3 - 0.2*math.Cos(2*math.Pi*hour/24) }

func learnt(s *series.Series, day int) profile.Profile {
	start, until := series.Window(s.Start, monday.Add(time.Duration(day)*series.Day))
	return learn.New(learn.Options{}).Learn(s.Between(start, until), nil).Profile
}

// found is after how many hours a change at the start of a day is seen, -1 for never in two days.
func found(s *series.Series, day int) int {
	p := learnt(s, day)
	hours := s.Hours()
	for after := 1; after <= 48; after++ {
		now := &series.Hours{Start: hours.Start, Mean: hours.Mean[:24*day+after]}
		if Look(&p, now) == Changed {
			return after
		}
	}
	return -1
}

func TestAChangeIsSeenWithinSixHours(t *testing.T) {
	for name, rule := range map[string]func(day int, hour float64) float64{
		"an even tenant that doubles": func(day int, _ float64) float64 {
			if day >= 28 {
				return 0.4
			}
			return 0.2
		},
		"a periodic tenant that stays at its peak": func(day int, hour float64) float64 {
			if day >= 28 {
				return 0.5
			}
			return wave(hour)
		},
		"an even tenant that goes away": func(day int, _ float64) float64 {
			if day >= 28 {
				return 0
			}
			return 0.2
		},
	} {
		if after := found(life(30, rule), 28); after < 1 || after > 6 {
			t.Errorf("%s: seen after %d hours, want 1 to 6", name, after)
		}
	}
}

func TestWhatDoesNotChangeIsLeftAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	bursts := map[int]bool{}
	for range 60 {
		bursts[rng.IntN(24*30)] = true
	}
	for name, rule := range map[string]func(day int, hour float64) float64{
		"even":     func(int, float64) float64 { return 0.2 },
		"periodic": func(_ int, hour float64) float64 { return wave(hour) },
		"bursts": func(day int, hour float64) float64 {
			if bursts[24*day+int(hour)] {
				return 0.9
			}
			return 0.1
		},
		"an hour's shift": func(day int, hour float64) float64 {
			if day >= 28 {
				hour++
			}
			return wave(hour)
		},
	} {
		if after := found(life(30, rule), 28); after >= 0 {
			t.Errorf("%s: taken for a change after %d hours, want none", name, after)
		}
	}
}

func TestTooLittleTellsNothing(t *testing.T) {
	p := learnt(life(28, func(int, float64) float64 { return 0.2 }), 28)
	nan := math.NaN()
	for name, hours := range map[string][]float64{"two hours": {1, 1}, "gaps": {1, 1, nan, nan, 1}, "nothing": nil} {
		if v := Look(&p, &series.Hours{Start: monday, Mean: hours}); v != Unsure {
			t.Errorf("Look(%s) = %d, want Unsure", name, v)
		}
	}
	if v := Look(&profile.Profile{}, &series.Hours{Start: monday, Mean: make([]float64, 24)}); v != Unsure {
		t.Errorf("Look with a profile that knows nothing = %d, want Unsure", v)
	}
}

// said returns on which days of a life a new profile is reported, learnt anew each midnight.
func said(s *series.Series, from, until int) (days []int, reasons []Reason) {
	inForce := learnt(s, from)
	for day := from + 1; day <= until; day++ {
		fresh := learnt(s, day)
		if why := ReportReason(&inForce, &fresh, monday.Add(time.Duration(day)*series.Day)); why != None {
			days, reasons, inForce = append(days, day), append(reasons, why), fresh
		}
	}
	return days, reasons
}

func TestAnUnchangedTenantIsSaidOnceAMonth(t *testing.T) {
	for name, rule := range map[string]func(day int, hour float64) float64{
		"even":     func(int, float64) float64 { return 0.2 },
		"periodic": func(_ int, hour float64) float64 { return wave(hour) },
	} {
		if days, reasons := said(life(60, rule), 28, 60); len(days) != 1 || days[0] != 56 || reasons[0] != Age {
			t.Errorf("%s: said on days %v for %v, want day 56 alone", name, days, reasons)
		}
	}
}

func TestAShiftOfTheClocksIsSaidByTheThirdDay(t *testing.T) {
	days, reasons := said(life(40, func(day int, hour float64) float64 {
		if day >= 30 {
			hour++
		}
		return wave(hour)
	}), 28, 40)
	if len(days) == 0 || days[0] <= 30 || days[0] > 33 || reasons[0] != Hours {
		t.Errorf("clocks go forward on day 30: drift on days %v for %v, want the first on 31 to 33 for hours", days, reasons)
	}
}

func TestReasons(t *testing.T) {
	known := learnt(life(28, func(int, float64) float64 { return 0.2 }), 28)
	now := time.Unix(known.Until, 0)
	change := func(f func(*profile.Profile)) *profile.Profile {
		p := known
		f(&p)
		return &p
	}
	none, unknown := &profile.Profile{}, &profile.Profile{Until: known.Until, Peak: 1}
	for _, test := range []struct {
		name         string
		force, fresh *profile.Profile
		want         Reason
	}{
		{"first word of a tenant", none, &known, New},
		{"first word of an unknown one", none, unknown, New},
		{"still unknown", unknown, unknown, None},
		{"known now", unknown, &known, New},
		{"forgotten", &known, unknown, New},
		{"the same", &known, &known, None},
		{"another pattern", &known, change(func(p *profile.Profile) { p.Pattern = profile.Periodic }), Pattern},
		{"another peak", &known, change(func(p *profile.Profile) { p.Peak = 0.9 }), Peak},
	} {
		if got := ReportReason(test.force, test.fresh, now); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
