package pressure

import (
	"fmt"
	"time"

	"lull/test/report"
	"lull/test/stat"
)

// reactions are the onsets that were met, and the number of those that were not.
type reactions struct {
	notice, act, both []time.Duration
	missed            int
}

func (r *reactions) add(onset time.Time, a action, ok bool) {
	if !ok {
		r.missed++
		return
	}
	notice := a.noticed.Sub(onset)
	r.notice, r.act, r.both = append(r.notice, notice), append(r.act, a.took), append(r.both, notice+a.took)
}

func (r *reactions) report(p *pressing) *report.Report {
	result := &report.Report{}
	for _, row := range []struct {
		what string
		took []time.Duration
	}{{"onset to notice", r.notice}, {"notice to action", r.act}, {"onset to action", r.both}} {
		result.Rows = append(result.Rows, report.Row{
			{Key: "from", Value: row.what}, {Key: "onsets", Value: len(row.took)},
			{Key: "p50_ms", Value: stat.Milliseconds(stat.Nearest(row.took, 0.5))}, {Key: "p90_ms", Value: stat.Milliseconds(stat.Nearest(row.took, 0.9))},
			{Key: "p99_ms", Value: stat.Milliseconds(stat.Nearest(row.took, 0.99))}, {Key: "most_ms", Value: stat.Milliseconds(stat.Nearest(row.took, 1))},
		})
	}
	result.Checks = []report.Check{
		report.AtMost("notice to action, p99 ms", stat.Milliseconds(stat.Nearest(r.act, 0.99)), mostToAct),
		report.AtMost("onset to action, p99 ms", stat.Milliseconds(stat.Nearest(r.both, 0.99)), mostFromRest),
		report.AtMost("onsets without action", float64(r.missed), 0),
	}
	result.Notes = []string{
		fmt.Sprintf("%d processes of a primary begin to compute, in the idle class too, beside %d tasks that do.", p.threads, p.tasks),
		"Notice is the look that finds the budget broken, action the return of the write of batch work's cores.",
	}
	return result
}
