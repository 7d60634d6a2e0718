package interference

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"lull/test/bench/live/stage"
	"lull/test/report"
)

// The jump of the primary's load, and how long each side of it lasts.
const (
	stepLow, stepHigh = 0.10, 0.95
	calm, busy        = 0.5, 1.0 // seconds
	stepsAtOnce       = 6        // in one order
)

// stepping divides a jump into windows of so many ns over all steps together, since a single step
// has too few requests for a p99.
const (
	stepWindow = int64(50 * time.Millisecond)
	stepStride = int64(10 * time.Millisecond)
)

// steps measures jumps of the primary's load: how long after one its p99 is back within the band
// around what the same jump costs it alone.
func (s gauge) steps(ctx context.Context, ways []string, quick bool) (*report.Report, error) {
	low, err := s.rateOf(ctx, stepLow)
	if err != nil {
		return nil, err
	}
	high, err := s.rateOf(ctx, stepHigh)
	if err != nil {
		return nil, err
	}
	orders := 5
	if quick {
		orders = 1
	}
	jumps := map[string]*jump{}
	for _, way := range ways {
		jumps[way] = &jump{}
	}
	for n := range orders {
		for _, i := range rand.New(rand.NewPCG(uint64(n), 7)).Perm(len(ways)) {
			found, err := s.measure(ctx, ways[i], "pi", jumping(uint64(n), low, high))
			if err != nil {
				return nil, err
			}
			jumps[ways[i]].add(found)
		}
	}
	return stepTable(ways, jumps), nil
}

// stepWays leaves out the ways that hardly keep batch work in the background: beside them p99 never
// returns to the band.
func stepWays(ways []string) []string {
	return slices.DeleteFunc(slices.Clone(ways), func(way string) bool {
		return way == stage.Unmanaged || way == stage.Niced || way == stage.Weighted
	})
}

// jumping returns an order with several jumps.
func jumping(seed uint64, low, high float64) stage.Order {
	o := stage.Order{Seed: seed}
	for range stepsAtOnce {
		o.Phases = append(o.Phases, stage.Phase{Rate: low, Seconds: calm}, stage.Phase{Rate: high, Seconds: busy})
	}
	return o
}

// jump is what a way's requests around all jumps took.
type jump struct {
	steps  int
	stolen float64
	since  []int64 // ns from the jump to when a request was due
	took   []int64
}

func (j *jump) add(s measurement) {
	j.steps += stepsAtOnce
	j.stolen = max(j.stolen, s.stolen)
	for i, due := range s.due {
		since := due%int64((calm+busy)*1e9) - int64(calm*1e9)
		j.since, j.took = append(j.since, since), append(j.took, s.took[i])
	}
}

// p99 returns the 99th percentile of the latency of the requests due in a window after the jumps, in ms.
func (j *jump) p99(from, to int64) float64 {
	var took []int64
	for i, since := range j.since {
		if since >= from && since < to {
			took = append(took, j.took[i])
		}
	}
	slices.Sort(took)
	return at(took, 0.99)
}

// back returns how long after the jump p99 is within the band, in ms, and stays so for three
// windows in a row; the length of a step if it never is.
func (j *jump) back(beside *jump) float64 {
	in := func(from int64) bool {
		return j.p99(from, from+stepWindow) <= tailMost*beside.p99(from, from+stepWindow)
	}
	end := int64(busy * 1e9)
	for from := int64(0); from+3*stepWindow <= end; from += stepStride {
		if in(from) && in(from+stepWindow) && in(from+2*stepWindow) {
			return float64(from) / 1e6
		}
	}
	return busy * 1000
}

// backMost is how long the tail may be out of its band, in ms.
const backMost = 150

func stepTable(ways []string, jumps map[string]*jump) *report.Report {
	r := &report.Report{Name: "interference --step"}
	for _, way := range ways {
		j := jumps[way]
		row := report.Row{{Key: "way", Value: way}, {Key: "steps", Value: j.steps}, {Key: "before", Value: j.p99(-int64(calm*1e9), 0)}}
		for _, ms := range []int64{0, 50, 100, 150, 200, 300, 500, 750} {
			from := ms * 1e6
			row = append(row, report.Cell{Key: fmt.Sprintf("at_%d", ms), Value: j.p99(from, from+stepWindow)})
		}
		r.Rows = append(r.Rows, append(row, report.Cell{Key: "back_ms", Value: j.back(jumps[stage.Alone])}, report.Cell{Key: "stolen", Value: j.stolen}))
	}
	r.Notes = append(r.Notes, "p99 in ms of requests due in the 50 ms from so many ms after the load jumped from 10 to 95 %, over all steps; back_ms: from when it stays within 1.25 times that of the same jumps alone.")
	if j := jumps[stage.Lulled]; j != nil {
		r.Checks = append(r.Checks, report.AtMost("ms until p99 is back in its band, lull", j.back(jumps[stage.Alone]), backMost))
	}
	return r
}
