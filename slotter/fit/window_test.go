package fit

import (
	"math"
	"reflect"
	"testing"

	"github.com/vmihailenco/msgpack/v5"

	"lull/subjects"
	"lull/subjects/tct"
)

func TestWindowKeepsTheFewLoadedSamples(t *testing.T) {
	var w Window
	for range 3 {
		w.Add(Sample{Residual: 0.1, Known: 0.1, Seconds: 100})
	}
	for range 10_000 {
		w.Add(Sample{Residual: 1, Known: 1, Seconds: 10})
	}
	samples := w.Samples()
	if len(samples) != 3+perBin || w.Seen != 10_003 {
		t.Fatalf("%d samples of %d, want 19 of 10003", len(samples), w.Seen)
	}
	if samples[2].Seconds != 100 {
		t.Errorf("samples = %+v, want those of the loaded host kept", samples)
	}
}

func TestWindowForgets(t *testing.T) {
	var w Window
	for i := range 40 {
		w.Add(Sample{Residual: 0.9, Known: 1, Seconds: float64(i + 1)})
	}
	samples := w.Samples()
	if first, last := samples[0].Seconds, samples[perBin-1].Seconds; first != 25 || last != 40 {
		t.Errorf("kept %v to %v, want the latest: 25 to 40", first, last)
	}
}

func TestWindowSurvivesASnapshot(t *testing.T) {
	var w, back Window
	for i := range 500 {
		w.Add(Sample{Residual: math.Mod(float64(i)*0.37, 1), Known: 0.5, Seconds: float64(i + 1)})
	}
	body, err := msgpack.Marshal(&w)
	if err != nil {
		t.Fatal(err)
	}
	if err := msgpack.Unmarshal(body, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(w, back) {
		t.Errorf("window after a snapshot = %+v, want %+v", back, w)
	}
}

// events counts the refits that n samples of a curve call for.
func events(w *Window, n int, last *subjects.Fitted, seconds func(i int) float64) (int, *subjects.Fitted) {
	count := 0
	for i := range n {
		r := 0.3 + 0.7*math.Mod(float64(i)*0.618, 1)
		w.Add(Sample{Residual: r, Known: r, Seconds: seconds(i)})
		if Due(w, last, tct.Of(last), 0) {
			result, _ := Refit(w, last)
			last, count = result.Event("t", w.Count()), count+1
			w.Adopt(last)
		}
	}
	return count, last
}

func TestManySamplesMakeFewEvents(t *testing.T) {
	var w Window
	count, last := events(&w, 100_000, nil, func(int) float64 { return 5 })
	if count != 15 { // 5 · 2^14 = 81,920
		t.Errorf("%d events for 100,000 steady samples, want 15", count)
	}
	if last.Samples != 81_920 {
		t.Errorf("samples of the last model = %d, want 81920", last.Samples)
	}
}

func TestDriftIsDue(t *testing.T) {
	var w Window
	_, last := events(&w, 200, nil, func(int) float64 { return 5 })
	count, last := events(&w, 150, last, func(int) float64 { return 9 })
	if count == 0 {
		t.Fatal("refits for tasks that take nearly twice as long = 0, want at least 1")
	}
	if got := tct.Of(last).Seconds(0.7); math.Abs(got-9) > 9*0.15 {
		t.Errorf("after the drift %v s, want about 9", got)
	}
}

func TestWhatNoCurveFollowsMakesFewEvents(t *testing.T) {
	var w Window
	count, _ := events(&w, 20_000, nil, func(i int) float64 { return []float64{1, 100}[i/16%2] })
	if count > 120 {
		t.Errorf("events for 20,000 samples that jump = %d, want at most 120", count)
	}
}
