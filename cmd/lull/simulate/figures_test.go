package simulate

import (
	"math"
	"testing"
	"time"

	"lull/sim"
)

const s = time.Second

// result is a run of six jobs, each with another fate.
func result() *sim.Result {
	return &sim.Result{
		End: 100 * s, Harvested: 7200, Idle: 36000, Events: 42,
		Jobs: []sim.JobResult{
			{State: "finished", Submitted: 10 * s, Started: 11 * s, Ended: 30 * s, Deadline: 30 * s},
			{State: "finished", Submitted: 10 * s, Started: 13 * s, Ended: 50 * s, Deadline: 30 * s},
			{State: "failed", Submitted: 20 * s, Started: 20 * s, Ended: 60 * s, Deadline: 50 * s},
			{State: "rejected", Submitted: 20 * s, Ended: 20 * s, Deadline: 21 * s},
			{State: "cancelled", Submitted: 30 * s, Ended: 90 * s, Deadline: 80 * s},
			{State: "finished", Submitted: 40 * s, Started: 45 * s, Ended: 70 * s},
		},
		Runs: []sim.RunResult{
			{Host: "a", Outcome: "committed", Start: 0, End: 36 * s, CPU: 30},
			{Host: "b", Outcome: "evicted", Start: 10 * s, End: 28 * s, CPU: 9},
			{Host: "a", Outcome: "finished", Start: 40 * s, End: 58 * s, CPU: 18},
		},
	}
}

func TestTally(t *testing.T) {
	want := Figures{
		Jobs: 6, Met: 1, Missed: 3, Rejected: 1, Free: 1, Failed: 1, Cancelled: 1,
		Harvested: 2, Idle: 10, Share: 0.2, Attempts: 3, Evictions: 1, WaitP50: 3, WaitP95: 5,
		LateMean: (20. + 10 + 10) / 3, LateMax: 20, TaskHours: 0.01, LostHours: 0.01, Span: 100, Events: 42,
	}
	got := newFigures(result())
	for i, v := range want.all() {
		if math.Abs(*v-*got.all()[i]) > 1e-9 {
			t.Fatalf("newFigures() = %+v\nwant %+v", *got, want)
		}
	}
}

func TestRowsAreMeansOverSeeds(t *testing.T) {
	rows := Rows([]*Run{
		{Policy: "mp", Seed: 1, Figures: &Figures{Met: 4}, reasons: map[string]int{"deadline": 3}}, {Policy: "edf", Seed: 1, Figures: &Figures{Met: 1}},
		{Policy: "mp", Seed: 2, Figures: &Figures{Met: 5}}, {Policy: "edf", Seed: 2},
	})
	if len(rows) != 2 || rows[0].Met != 4.5 || rows[0].Seeds != 2 || len(rows[0].Each) != 2 || rows[0].For["deadline"] != 1.5 || rows[1].Met != 1 || rows[1].Each != nil {
		t.Errorf("Rows() = %+v, want means of two seeds for mp, of one for edf", rows)
	}
	if len(rows[0].Cells()) != len(Header) || len(pageHeader) != len(Header) || len(better) != len(Header) {
		t.Errorf("columns of a row = %d, of pageHeader = %d, of better = %d, want %d, as in Header", len(rows[0].Cells()), len(pageHeader), len(better), len(Header))
	}
}

// What a histogram is handed stands in it, whatever the steps.
func TestHistogramKeepsTheSum(t *testing.T) {
	h := newHistogram(100*s, 7)
	for _, r := range result().Runs {
		h.add(r.Start, r.End, r.CPU)
	}
	h.add(20*s, 20*s, 5)
	sum := 0.0
	for _, v := range h.means() {
		sum += v * h.step.Seconds()
	}
	if math.Abs(sum-62) > 1e-6 {
		t.Errorf("core-seconds in the histogram = %v, want 62", sum)
	}
	h.add(99*s, 500*s, 1) // beyond the end: no panic
}

func TestThinKeepsTheLast(t *testing.T) {
	list := make([]float64, 10*maxCurve+3)
	for i := range list {
		list[i] = float64(i)
	}
	if some := thin(list); len(some) != maxCurve || some[maxCurve-1] != list[len(list)-1] {
		t.Errorf("thin(%d values) = %d values up to %v, want %d up to the last", len(list), len(some), some[len(some)-1], maxCurve)
	}
}
