package interference

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"

	"lull/test/bench/live/stage"
	"lull/test/report"
	"lull/test/steal"
)

// unbearable is the response time, in ms, at which MIMP's Figure 5 counts how
// many users are served.
const unbearable = 100.0

// sweep raises the number of users, each with a request a second, until the tail is unbearable.
func (s gauge) sweep(ctx context.Context, quick bool) (*report.Report, error) {
	levels, seconds, passes := []float64{0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1}, 2.0, 3
	if quick {
		levels, seconds, passes = []float64{0.2, 0.6, 1}, 0.7, 1
	}
	all, err := s.rateOf(ctx, 0.9)
	if err != nil {
		return nil, err
	}
	all /= 0.9
	ways := []string{stage.Alone, stage.Unmanaged, stage.Weighted, stage.Idled, stage.Lulled}
	if s.Lull == nil {
		ways = ways[:4]
	}
	found := map[string][]measurement{}
	for i, level := range levels {
		for _, way := range ways {
			one, err := s.middle(ctx, way, stage.Phase{Rate: level * all, Seconds: seconds}, i, passes)
			if err != nil {
				return nil, err
			}
			found[way] = append(found[way], one)
			fmt.Fprintf(os.Stderr, "%3.0f %% %-9s p99 %8.2f ms\n", 100*level, way, one.p99)
		}
	}
	return sweepTable(ways, levels, found), nil
}

// middle measures a way some times, each time undisturbed, and returns the one with the
// median p99. All ways of a level meet the same arrivals.
func (s gauge) middle(ctx context.Context, way string, p stage.Phase, level, passes int) (measurement, error) {
	var shots []measurement
	for n := range passes {
		o := stage.Order{Seed: uint64(level)<<8 + uint64(n), Phases: []stage.Phase{p}}
		one, _, err := steal.Least(ctx, func() (measurement, error) { return s.measure(ctx, way, "pi", o) })
		if err != nil {
			return one, err
		}
		shots = append(shots, one)
	}
	slices.SortFunc(shots, func(a, b measurement) int { return cmp.Compare(a.p99, b.p99) })
	return shots[(len(shots)-1)/2], nil
}

func sweepTable(ways []string, levels []float64, found map[string][]measurement) *report.Report {
	r := &report.Report{Name: "interference --sweep"}
	for i, level := range levels {
		row := report.Row{{Key: "load", Value: level}, {Key: "clients", Value: math.Round(found[stage.Alone][i].asked)}}
		for _, way := range ways {
			row = append(row, report.Cell{Key: way, Value: found[way][i].p99})
		}
		r.Rows = append(r.Rows, row)
	}
	for _, way := range ways {
		r.Rows = append(r.Rows, report.Row{{Key: "way", Value: way}, {Key: "clients_within_100_ms", Value: crossing(found[way])}})
	}
	r.Notes = append(r.Notes, "p99 in ms by the number of clients that send a request a second each, whatever they wait for; the last rows: how many there may be until p99 is 100 ms.",
		"Each p99 is the median of three measurements (of one with --quick), each repeated while the hypervisor took more than 2 % of the CPU, up to seven times.")
	if l := found[stage.Lulled]; l != nil {
		r.Checks = append(r.Checks,
			report.AtLeast("clients within 100 ms, lull over unmanaged", crossing(l)/crossing(found[stage.Unmanaged]), 2).WithPaper(2),
			report.AtLeast("clients within 100 ms, lull over minimum weight", crossing(l)/crossing(found[stage.Weighted]), 1),
			report.AtLeast("clients within 100 ms, lull over alone", crossing(l)/crossing(found[stage.Alone]), 0.95))
	}
	return r
}

// crossing returns the rate, in requests a second, at which p99 becomes unbearable. Between two levels it
// takes the logarithm of the tail as linear. Below the first level it takes the tail as proportional to
// the rate.
func crossing(shots []measurement) float64 {
	for i, s := range shots {
		if s.p99 <= unbearable {
			continue
		}
		if i == 0 {
			return s.asked * unbearable / s.p99
		}
		past := shots[i-1]
		share := math.Log(unbearable/past.p99) / math.Log(s.p99/past.p99)
		return past.asked + share*(s.asked-past.asked)
	}
	return shots[len(shots)-1].asked
}
