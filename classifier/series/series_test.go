package series

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

var begin = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

func average(t *testing.T, step time.Duration, samples int) *Average {
	t.Helper()
	a, err := NewAverage(begin, step, samples)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func want(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestTheAverageServerIsThatOfTheHostsPresent(t *testing.T) {
	a := average(t, Step, 4)
	a.Add(begin, Step, 0.2, 0.3)
	a.Add(begin, Step, 0.6, 0.9)
	a.Add(begin.Add(Step), Step, 0.5, -1) // one host alone, without a peak
	a.Add(begin.Add(3*Step), Step, 1.4, 1.7)
	a.Add(begin.Add(2*Step), Step, float32(math.NaN()), 1)
	a.Add(begin.Add(-Step), Step, 1, 1)  // before the window
	a.Add(begin.Add(4*Step), Step, 1, 1) // behind it
	s := a.Series()
	want(t, "mean of two hosts", float64(s.Mean[0]), 0.4)
	want(t, "peak of two hosts", float64(s.Peak[0]), 0.6)
	want(t, "peak of a host without one", float64(s.Peak[1]), 0.5)
	want(t, "more than all cores", float64(s.Mean[3]), 1)
	if s.Mean[2] == s.Mean[2] || s.Peak[2] == s.Peak[2] {
		t.Errorf("a slot without a report is %v, want a gap", s.Mean[2])
	}
	if got := s.Observed(); got != 3*Step {
		t.Errorf("Observed() = %v, want %v", got, 3*Step)
	}
}

func TestSamplesOfAnotherLengthCountByTheirPart(t *testing.T) {
	a := average(t, Step, 5)
	a.Add(begin, 5*time.Minute, 0.2, -1)
	a.Add(begin.Add(5*time.Minute), 5*time.Minute, 0.8, -1)
	s := a.Series()
	for slot, share := range []float64{0.2, 0.2, 0.5, 0.8, 0.8} {
		want(t, fmt.Sprint("slot ", slot), float64(s.Mean[slot]), share)
	}
	if s.Peak != nil {
		t.Errorf("Peak = %v without a measurement, want nil", s.Peak)
	}
}

func TestResetForgets(t *testing.T) {
	a := average(t, Step, 2)
	a.Add(begin, Step, 1, 1)
	_ = a.Series()
	a.Reset(begin.Add(time.Hour))
	s := a.Series()
	if s.Observed() != 0 || s.Peak != nil || !s.Start.Equal(begin.Add(time.Hour)) {
		t.Errorf("after Reset: %v observed from %v, want 0 from %v", s.Observed(), s.Start, begin.Add(time.Hour))
	}
}

func TestAWindowIsRefusedWithTheReason(t *testing.T) {
	for _, test := range []struct {
		start   time.Time
		step    time.Duration
		samples int
	}{{begin, 7 * time.Minute, 1}, {begin, 0, 1}, {begin.Add(time.Second), Step, 1}, {begin, Step, -1}} {
		if _, err := NewAverage(test.start, test.step, test.samples); err == nil {
			t.Errorf("NewAverage(%v, %v, %d) = nil error, want an error", test.start, test.step, test.samples)
		}
	}
}

func TestWindowsAreWholeDaysOfSmallFactors(t *testing.T) {
	noon := begin.Add(12 * time.Hour)
	for _, test := range []struct{ known, days int }{
		{0, 0}, {1, 1}, {2, 2}, {11, 10}, {13, 12}, {20, 20}, {23, 21}, {26, 25}, {28, 28}, {31, 28}, {400, 28},
	} {
		start, until := Window(begin.Add(-time.Duration(test.known)*Day), noon)
		if !until.Equal(begin) || until.Sub(start) != time.Duration(test.days)*Day {
			t.Errorf("%d days known: from %v until %v, want %d days that end at midnight", test.known, start, until, test.days)
		}
	}
	if n := Days * int(Day/Step); n != 20160 {
		t.Errorf("samples of a full window = %d, want 20160", n)
	}
}

// Window of a history that began an hour ago must not reach into the future or the past.
func TestAWindowOfNoDayIsEmpty(t *testing.T) {
	start, until := Window(begin.Add(time.Hour), begin.Add(2*time.Hour))
	if !start.Equal(until) {
		t.Errorf("Window(an hour) = %v to %v, want none", start, until)
	}
}

func TestGapsAreFilledByTheSameTimeOfOtherDays(t *testing.T) {
	nan := math.NaN()
	values := []float64{
		0.1, 0.5, nan, 0.9,
		0.3, nan, nan, 0.7,
		nan, 0.7, nan, nan,
	}
	if gaps := Fill(values, 4); gaps != 6 {
		t.Errorf("Fill() = %d gaps, want 6", gaps)
	}
	for i, v := range []float64{0.1, 0.5, 0.6, 0.9, 0.3, 0.6, 0.6, 0.7, 0.2, 0.7, 0.6, 0.8} {
		want(t, fmt.Sprint("value ", i), values[i], v)
	}
}

func TestFillLeavesUnknownValues(t *testing.T) {
	values := []float64{math.NaN(), math.NaN()}
	if gaps := Fill(values, 2); gaps != 2 || values[0] == values[0] {
		t.Errorf("Fill(nothing but gaps) = %d, %v, want 2 and the gaps left", gaps, values)
	}
}

// A series that begins within an hour has its first hour from what there is of it. The twin
// asks every sample for its hour.
func TestHoursMatchTheirTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		s := &Series{Start: begin.Add(time.Duration(rng.IntN(60)) * Step), Step: Step, Peak: []float32{}}
		for range 1 + rng.IntN(200) {
			v := rng.Float32()
			if rng.IntN(3) == 0 {
				v = gap
			}
			s.Mean, s.Peak = append(s.Mean, v), append(s.Peak, v+0.01)
		}
		h := s.Hours()
		for i := range h.Mean {
			sum, n, most := 0.0, 0, -1.0
			for k, v := range s.Mean {
				if at := s.Start.Add(time.Duration(k) * s.Step); at.Truncate(time.Hour).Equal(h.Start.Add(time.Duration(i)*time.Hour)) && v == v {
					sum, n, most = sum+float64(v), n+1, max(most, float64(s.Peak[k]))
				}
			}
			if n == 0 != (h.Mean[i] != h.Mean[i]) || n > 0 && (math.Abs(h.Mean[i]-sum/float64(n)) > 1e-9 || h.Peak[i] != most) {
				t.Fatalf("hour %d: mean %v and peak %v of %d samples, want %v and %v", i, h.Mean[i], h.Peak[i], n, sum/float64(n), most)
			}
		}
	}
}

func TestBetweenStaysWithinTheSeries(t *testing.T) {
	s := &Series{Start: begin, Step: Step, Mean: make([]float32, 30), Peak: make([]float32, 30)}
	for _, test := range []struct{ from, until, samples int }{{0, 30, 30}, {-10, 5, 5}, {10, 90, 20}, {40, 50, 0}, {20, 10, 0}} {
		part := s.Between(begin.Add(time.Duration(test.from)*Step), begin.Add(time.Duration(test.until)*Step))
		if len(part.Mean) != test.samples || len(part.Peak) != test.samples {
			t.Errorf("Between(%+v) = %d samples, want %d", test, len(part.Mean), test.samples)
		}
	}
}

func ExampleAverage() {
	midnight := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	average, err := NewAverage(midnight, Step, 3)
	if err != nil {
		panic(err)
	}
	average.Add(midnight, Step, 0.25, 0.4)
	average.Add(midnight, Step, 0.75, 0.9)
	average.Add(midnight.Add(2*Step), Step, 0.5, 0.6)
	fmt.Println(average.Series().Mean)
	// Output: [0.5 NaN 0.5]
}
