package survival

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"lull/classifier/learn"
	"lull/classifier/series"
	"lull/subjects/profile"
)

var monday = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

// nightly works from 02:00 until 04:00 at 0.8, and is at 0.1 else.
func nightly(hour float64) float64 {
	if hour >= 2 && hour < 4 {
		return 0.8
	}
	return 0.1
}

func learnt(days int, rule func(hour float64) float64) *profile.Profile {
	rng := rand.New(rand.NewPCG(5, 5))
	s := &series.Series{Start: monday, Step: series.Step}
	for i := range 720 * days {
		s.Mean = append(s.Mean, float32(rule(float64(i%720)/30)+0.002*rng.Float64()))
	}
	p := learn.New(learn.Options{}).Learn(s, nil).Profile
	return &p
}

func TestANightlyJobEndsTasksThatMeetIt(t *testing.T) {
	p := learnt(28, nightly)
	m := New(p, nil)
	day := monday.Add(28 * series.Day)
	for _, test := range []struct {
		hour, lasts float64
		low, high   float64
	}{
		{12, 1, 0.95, 1}, {12, 13, 0.95, 1}, {12, 15, 0, 0.05}, {23, 2, 0.95, 1}, {23, 4, 0, 0.05},
		{4, 20, 0.95, 1}, {1.5, 0.25, 0.95, 1}, {1.5, 1, 0, 0.05}, {5, 60, 0, 0.1},
	} {
		at := day.Add(time.Duration(test.hour * float64(time.Hour)))
		got := m.Survives(at, nightly(test.hour-0.25), 0.5, time.Duration(test.lasts*float64(time.Hour)))
		if got < test.low || got > test.high {
			t.Errorf("from %v:00 for %v h: %.3f, want %v to %v", test.hour, test.lasts, got, test.low, test.high)
		}
	}
}

func TestBoundsOfSurvival(t *testing.T) {
	m := New(learnt(28, nightly), nil)
	noon := monday.Add(28*series.Day + 12*time.Hour)
	for _, test := range []struct {
		name         string
		recent, room float64
		lasts        time.Duration
		want         float64
	}{
		{"room for all", 0.1, 1, 100 * time.Hour, 1}, {"no time", 0.1, 0.2, 0, 1},
	} {
		if got := m.Survives(noon, test.recent, test.room, test.lasts); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	last := 1.0
	for hours := 1; hours < 200; hours++ {
		p := m.Survives(noon, 0.1, 0.5, time.Duration(hours)*time.Hour)
		if p < 0 || p > last+0.05 {
			t.Fatalf("Survives(%d h) = %v, want at most %v as for a shorter time", hours, p, last)
		}
		last = p
	}
}

// A level that only ever came before a burst predicts more than the time of day.
func TestTheRecentLevelTells(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	s := &series.Series{Start: monday, Step: series.Step}
	level := 0.05
	for i := range 720 * 28 {
		if i%90 == 0 { // three hours at 0.05, or at 0.3 and then 0.9
			level = 0.05
			if rng.IntN(3) == 0 {
				level = 0.3
			}
		}
		v := level
		if level == 0.3 && i%90 >= 60 {
			v = 0.9
		}
		s.Mean = append(s.Mean, float32(v))
	}
	p := learn.New(learn.Options{}).Learn(s, nil).Profile
	m := New(&p, nil)
	at := monday.Add(28*series.Day + 13*time.Hour)
	calm, before := m.Survives(at, 0.05, 0.5, 90*time.Minute), m.Survives(at, 0.3, 0.5, 90*time.Minute)
	if !(calm > 0.8 && before < 0.3) {
		t.Errorf("Survives at 0.05 used, at 0.3 before a burst = %.2f, %.2f, want above 0.8, below 0.3", calm, before)
	}
}

// Past starts that had no room say nothing of one that has it: of blocks of five hours each, alternately within the room and beyond it, one that is
// within it stays so for another hour with a probability of four fifths, at whatever time of day.
func TestPastStartsWithoutRoomDoNotCount(t *testing.T) {
	busy := func(hour float64) float64 { return 0.45 + 0.1*float64(int(hour/5)%2) }
	rng := rand.New(rand.NewPCG(5, 5))
	s := &series.Series{Start: monday, Step: series.Step}
	for i := range 720 * 28 {
		s.Mean = append(s.Mean, float32(busy(float64(i)/30)+0.002*rng.Float64()))
	}
	p := learn.New(learn.Options{}).Learn(s, nil).Profile
	got := New(&p, nil).Survives(monday.Add(28*series.Day), 0.45, 0.5, time.Hour)
	if math.Abs(got-0.8) > 0.06 {
		t.Errorf("Survives = %.3f, want about 0.8", got)
	}
}

func TestFewDaysAreShrunkToTheClass(t *testing.T) {
	class := learnt(28, nightly)
	even := func(float64) float64 { return 0.1 }
	at := monday.Add(28*series.Day + 90*time.Minute)
	ask := func(m *Model) float64 { return m.Survives(at, 0.1, 0.5, time.Hour) }
	unknown, young, old := New(&profile.Profile{}, class), New(learnt(3, even), class), New(learnt(28, even), class)
	if !(ask(unknown) < 0.05 && ask(young) > 0.3 && ask(young) < 0.7 && ask(old) > 0.9) {
		t.Errorf("Survives with no, 3, 28 days of history = %.2f, %.2f, %.2f, want below 0.05, between, above 0.9 (its class alone: %.2f)", ask(unknown), ask(young), ask(old), ask(New(class, nil)))
	}
	if got := ask(New(&profile.Profile{}, nil)); got != prior {
		t.Errorf("Survives without history or class = %v, want %v", got, prior)
	}
}

func TestRoomCountsWholeCores(t *testing.T) {
	for _, test := range []struct{ cores, reserve, held, want float64 }{
		{12, 4, 1, 7.0 / 12}, {12, 4, 0.5, 7.0 / 12}, {8, 2, 9, 0}, {0, 0, 0, 0}, {10, 0.3 * 10, 1, 0.6},
	} {
		if got := Room(test.cores, test.reserve, test.held); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("Room(%v, %v, %v) = %v, want %v", test.cores, test.reserve, test.held, got, test.want)
		}
	}
}

// The twin looks at each slot.
func TestHighestMatchesItsTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		packed := make([]byte, 1+rng.IntN(100))
		for i := range packed {
			packed[i] = byte(rng.IntN(256))
		}
		h := newHighest(packed)
		from := rng.IntN(len(packed))
		until := from + rng.IntN(len(packed)-from+1)
		want := byte(0)
		for _, b := range packed[from:until] {
			if b <= 250 {
				want = max(want, b)
			}
		}
		of := h.span(until - from)
		if got := of.from(from); got != want {
			t.Fatalf("%v from %d until %d: %d, want %d", packed, from, until, got, want)
		}
	}
}

func TestUsageByTheHour(t *testing.T) {
	p := learnt(28, nightly)
	p.Confidence = 0.9
	o := NewOutlook(p)
	day, mean := monday.Add(28*series.Day), (22*0.1+2*0.8)/24
	if math.Abs(1-o.Average()-mean) > 0.01 {
		t.Errorf("the average is %.3f idle, want %.3f", o.Average(), 1-mean)
	}
	for _, test := range []struct{ from, until, used float64 }{
		{12, 13, 0.1}, {2, 4, 0.8}, {0, 24, mean}, {1, 3, 0.45}, {12, 12.5, 0.1}, {0, 24 * 30, mean}, {12, 12, mean},
	} {
		from, until := day.Add(time.Duration(test.from*float64(time.Hour))), day.Add(time.Duration(test.until*float64(time.Hour)))
		if got, want := o.Above(from, until), 0.9*(test.used-mean); math.Abs(got-want) > 0.01 {
			t.Errorf("from %v until %v: %.3f above the mean, want %.3f", test.from, test.until, got, want)
		}
	}
}

// Neither a tenant whose day says nothing nor one of which nothing is known is above its mean.
func TestWhatIsNotSureIsTheMean(t *testing.T) {
	p := *learnt(28, nightly)
	p.Pattern = profile.Unpredictable
	day := monday.Add(28 * series.Day)
	for _, own := range []*profile.Profile{&p, {}, {Pattern: profile.Periodic, Hours: p.Hours}} {
		o := NewOutlook(own)
		if above := o.Above(day.Add(2*time.Hour), day.Add(4*time.Hour)); above != 0 || o.HasPattern() {
			t.Errorf("Above() of a %v tenant with confidence %v = %v, knows %v, want 0, false", own.Pattern, own.Confidence, above, o.HasPattern())
		}
	}
}

func TestAQuestionTakesNoMemory(t *testing.T) {
	m, o := New(learnt(28, nightly), nil), NewOutlook(learnt(28, nightly))
	at := monday.Add(28 * series.Day)
	if n := testing.AllocsPerRun(100, func() {
		m.Survives(at, 0.1, 0.5, 8*time.Hour)
		o.Above(at, at.Add(time.Hour))
	}); n != 0 {
		t.Errorf("Survives and Above allocate %v times, want 0", n)
	}
}

func BenchmarkSurvives(b *testing.B) {
	m := New(learnt(28, func(hour float64) float64 { return nightly(hour) }), nil)
	at := monday.Add(28 * series.Day)
	for b.Loop() {
		m.Survives(at, 0.1, 0.5, 8*time.Hour)
	}
}

func ExampleModel_Survives() {
	model := New(learnt(28, nightly), nil) // a tenant that works at 02:00 each night
	noon := monday.Add(28*series.Day + 12*time.Hour)
	room := Room(12, 4, 1) // of 12 cores: 4 in reserve, 1 for the task
	fmt.Printf("%.2f %.2f\n", model.Survives(noon, 0.1, room, 8*time.Hour), model.Survives(noon, 0.1, room, 16*time.Hour))
	// Output: 0.99 0.01
}
