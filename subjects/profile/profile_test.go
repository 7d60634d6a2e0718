package profile

import (
	"math"
	"testing"
	"time"
)

var monday = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %v, want %v within %v", what, got, want, within)
	}
}

func TestPackedSharesComeBack(t *testing.T) {
	for i := range 1001 {
		share := float64(i) / 1000
		near(t, "share", Unpack(Pack(share)), share, 0.004*max(math.Sqrt(share), 0.01))
		if up := Unpack(PackUp(share)); up < share || up > share+0.0081 {
			t.Errorf("Unpack(PackUp(%v)) = %v, want at least that and at most 0.0081 more", share, up)
		}
	}
	if Pack(math.NaN()) != Unknown || !math.IsNaN(Unpack(Unknown)) || !math.IsNaN(Unpack(251)) {
		t.Errorf("Pack(NaN) = %v, Unpack(Unknown), Unpack(251) = %v, %v, want Unknown, NaN, NaN", Pack(math.NaN()), Unpack(Unknown), Unpack(251))
	}
	if Unpack(Pack(-1)) != 0 || Unpack(PackUp(7)) != 1 {
		t.Errorf("Unpack(Pack(-1)), Unpack(PackUp(7)) = %v, %v, want 0, 1", Unpack(Pack(-1)), Unpack(PackUp(7)))
	}
}

func TestPatternsHaveWords(t *testing.T) {
	for p, want := range map[Pattern]string{Unpredictable: "unpredictable", Constant: "constant", Periodic: "periodic", 3: "pattern 3"} {
		if got := p.String(); got != want {
			t.Errorf("Pattern(%d).String() = %q, want %q", uint8(p), got, want)
		}
	}
}

// full is a profile with a weekend of its own: usage is 0.2 on working days and 0.6 at the weekend.
func full() *Profile {
	p := &Profile{Pattern: Periodic, Confidence: 1, Average: 0.3, Peak: 0.9, Observed: 1, From: 1, Until: 2}
	for row := range 48 {
		share := 0.2
		if row >= 24 {
			share = 0.6
		}
		p.Hours = append(p.Hours, Pack(share))
		for i := range Levels {
			p.Quantiles = append(p.Quantiles, Pack(share+0.02*float64(i-2)))
		}
	}
	return p
}

func TestWeekendsStandApart(t *testing.T) {
	p := full()
	friday, saturday := monday.Add(4*24*time.Hour+23*time.Hour), monday.Add(5*24*time.Hour)
	near(t, "Friday night", p.Expect(friday), 0.2, 0.004)
	near(t, "Saturday in UTC", p.Expect(saturday.In(time.FixedZone("west", -8*3600))), 0.6, 0.004)
	near(t, "median", p.Quantile(saturday, 0.5), 0.6, 0.004)
	near(t, "between two kept quantiles", p.Quantile(friday, 0.85), 0.23, 0.004)
	near(t, "beyond the last", p.Quantile(friday, 0.999), 0.24, 0.004)
}

func TestWhatKnowsNothingExpectsTheWorst(t *testing.T) {
	p := new(Profile)
	if p.Expect(monday) != 1 || p.Quantile(monday, 0.5) != 1 {
		t.Errorf("Expect, Quantile of an unknown tenant = %v, %v, want 1, 1", p.Expect(monday), p.Quantile(monday, 0.5))
	}
	p = full()
	p.Hours[3] = Unknown
	if p.Expect(monday.Add(3*time.Hour)) != 1 {
		t.Errorf("Expect(an hour that was not observed) = %v, want 1", p.Expect(monday.Add(3*time.Hour)))
	}
}

func TestADeviationFades(t *testing.T) {
	p := full()
	off := p.Deviation(monday, []float64{0.1, 0.9, 0.7, 0.7, math.NaN(), 0.7, 0.7, 0.6})
	near(t, "deviation from Sunday's 0.6", off, 0.1, 0.005)
	soon, late := p.Ahead(monday, 0, off), p.Ahead(monday.Add(90*time.Hour), 90*time.Hour, off)
	if !(soon > 0.25 && late < 0.22 && late >= 0.19) {
		t.Errorf("Ahead(now), Ahead(in 90 h) with mean 0.2 and deviation 0.1 = %v, %v, want above 0.25, and 0.19 to 0.22", soon, late)
	}
	if got := p.Deviation(monday, nil); got != 0 {
		t.Errorf("Deviation(no hours) = %v, want 0", got)
	}
	if got := p.Ahead(monday, 0, -5); got != 0 {
		t.Errorf("Ahead(deviation -5) = %v, want 0", got)
	}
}

func TestForeignProfilesAreChecked(t *testing.T) {
	if err := full().Check(); err != nil {
		t.Error(err)
	}
	if err := new(Profile).Check(); err != nil {
		t.Error(err)
	}
	for name, spoil := range map[string]func(*Profile){
		"pattern":    func(p *Profile) { p.Pattern = 3 },
		"NaN":        func(p *Profile) { p.Peak = math.NaN() },
		"above all":  func(p *Profile) { p.Average = 1.5 },
		"window":     func(p *Profile) { p.Until = 0 },
		"hours":      func(p *Profile) { p.Hours = p.Hours[:25] },
		"quantiles":  func(p *Profile) { p.Quantiles = p.Quantiles[1:] },
		"misses":     func(p *Profile) { p.Miss = make([]byte, 3) },
		"maxima":     func(p *Profile) { p.Maxima, p.PerDay = make([]byte, 10), 48 },
		"no slots":   func(p *Profile) { p.Maxima = make([]byte, 10) },
		"no means":   func(p *Profile) { p.Maxima, p.PerDay = make([]byte, 48), 48 },
		"odd slots":  func(p *Profile) { p.Maxima, p.PerDay = make([]byte, 50), 25 },
		"too many":   func(p *Profile) { p.Maxima, p.PerDay = make([]byte, 48*1000), 48 },
		"many a day": func(p *Profile) { p.Maxima, p.PerDay = make([]byte, 4800), 4800 },
	} {
		p := full()
		spoil(p)
		if p.Check() == nil {
			t.Errorf("Check() = nil with %s, want an error", name)
		}
	}
}

func TestMeansComeBack(t *testing.T) {
	shares := []float64{0, 0.01, 0.3, math.NaN(), 1, 0.5, 0.25}
	p := &Profile{Means: PackMeans(shares)}
	for i, share := range shares {
		got := p.MeanRoot(i)
		if math.IsNaN(share) != math.IsNaN(got) || math.Abs(got-math.Sqrt(share)) > 0.5/14+1e-9 {
			t.Errorf("MeanRoot(%d) = %v, want the root of %v", i, got, share)
		}
	}
}
