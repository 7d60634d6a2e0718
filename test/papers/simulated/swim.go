package simulated

import (
	"context"
	"fmt"

	"lull/admission"
	"lull/sim"
	"lull/slotter"
	"lull/subjects"
	"lull/test/papers/swim"
	"lull/test/report"
)

// swimWays are all policies without admission, and the last with it.
var swimWays = []struct{ name, policy, mode string }{
	{"fifo", "fifo", subjects.ModeAll}, {"edf", "edf", subjects.ModeAll},
	{"mp", "mp", subjects.ModeAll}, {"mp+", "mp+", subjects.ModeAll},
	{"mp affected", "mp", subjects.ModeAffected}, {"mp+ affected", "mp+", subjects.ModeAffected},
}

// swimPolicies replays the trace by each policy.
func swimPolicies(ctx context.Context, o options) (*report.Report, error) {
	replay := swimReplay{read: func(s *sim.Scenario, r *sim.Result) ([]value, error) { return swimRow(ctx, s, r) }}
	for _, d := range swimWays {
		if len(o.among(d.policy)) == 1 {
			replay.ways = append(replay.ways, swimWay{d.name, func(s *sim.Scenario, _ []sim.Host) error {
				s.Admission, s.Slotter = admission.Config{Mode: d.mode}, slotter.Config{Policy: d.policy}
				return nil
			}})
		}
	}
	b, r, err := replay.run(ctx, o, fmt.Sprintf("; bytes scaled to a load of %v of what the primaries leave.", swim.Load))
	if b != nil {
		swimJudge(b, r, o)
	}
	return r, err
}

func swimRow(ctx context.Context, s *sim.Scenario, r *sim.Result) ([]value, error) {
	o := outcomeOf(s, r)
	all := float64(len(r.Jobs))
	evicted := 0.0
	for _, run := range r.Runs {
		if run.Outcome == "evicted" {
			evicted++
		}
	}
	rejected, err := swimRejected(ctx, s, r)
	return append([]value{
		{"missed_share", o.missed / all}, {"rejected_share", o.rejected / all}, {"average_lateness_s", o.late},
		{"total_tct_hours", o.tct}, {"harvested_core_hours", r.Harvested / 3600}, {"idle_core_hours", r.Idle / 3600},
		{"evictions", evicted}, {"wasted_hours", o.wasted},
	}, rejected...), err
}

// swimRejected runs a scenario with admission again without it. It returns the share of the
// rejected jobs that would have been in time, how many others late, and why jobs were rejected.
func swimRejected(ctx context.Context, s *sim.Scenario, r *sim.Result) ([]value, error) {
	if s.Admission.Mode == subjects.ModeAll {
		return nil, nil
	}
	without, err := sim.Run(ctx, s.WithoutAdmission())
	if err != nil {
		return nil, err
	}
	list, spared := sim.Rejections(r, without)
	inTime, codes := 0.0, map[string]float64{}
	for _, j := range list {
		codes[j.Code]++
		if j.InTime {
			inTime++
		}
	}
	values := []value{{"others_late_without_admission", float64(spared)}}
	if len(list) > 0 {
		values = append(values, value{"rejected_in_time_without_admission_share", inTime / float64(len(list))})
	}
	for _, code := range []string{subjects.ReasonDeadline, subjects.ReasonOthers, subjects.ReasonPast, subjects.ReasonNoHost} {
		values = append(values, value{"rejected_for_" + code, codes[code]})
	}
	return values, nil
}

// swimJudge compares the policies.
func swimJudge(b *book, r *report.Report, o options) {
	for _, page := range b.boards {
		for _, p := range []string{"fifo", "mp", "mp+"} {
			if len(o.among(p, "edf")) == 2 {
				row, _ := page.against(p, "missed_share", false)
				r.Rows = append(r.Rows, row)
			}
		}
		for _, p := range []string{"mp affected", "mp+ affected"} {
			if e := page.mean(p, "missed_share"); len(page.of(p, "missed_share")) > 0 {
				admitted := 1 - page.mean(p, "rejected_share").Mean
				r.Checks = append(r.Checks, report.AtLeast(fmt.Sprintf("k = %v, %s: admitted jobs in time, %%", page.labels[0].Value, p), 100*(1-e.Mean/admitted), 99))
			}
		}
	}
}
