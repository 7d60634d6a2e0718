package harvest

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"lull/sim"
	"lull/subjects"
	"lull/test/parallel"
	"lull/test/public"
	"lull/test/report"
	"lull/test/stat"
	"lull/test/tables"
)

// Tables returns the tables that compare with the paper.
func Tables() []tables.Table {
	return []tables.Table{
		table("history-figure11", "five hours of queries on 102 servers, steered by history and not", 10, figure11),
		table("history-figure13", "job times and kills over the use of a data centre", 5, figure13),
		table("history-figure14", "how much history shortens jobs in ten data centres", 1, figure14),
		table("history-growth", "how history gains with more servers and longer tasks", 2, growth),
		table("history-kills", "on which servers tasks are killed, and what a choice by patterns could save", 2, killed),
		table("history-reserve", "what each core of the reserve costs jobs, and spares primaries", 3, reserves),
		table("history-promises", "deadlines promised by the day of tenants and by the mean", 4, promises),
	}
}

// options are what the flags say.
type options struct {
	seeds   int
	seed    uint64
	servers int
	hours   float64
	days    float64
	quick   bool
	files   files
}

func table(name, what string, seeds int, run func(context.Context, options) (*report.Report, error)) tables.Table {
	o := new(options)
	return tables.Table{
		Name: name, What: what, Exact: true,
		Flags: func(set *flag.FlagSet) {
			set.IntVar(&o.seeds, "seeds", seeds, "how many seeds")
			set.Uint64Var(&o.seed, "seed", 1, "the first seed")
			set.IntVar(&o.servers, "servers", 0, "how many servers, in place of the table's own number")
			set.Float64Var(&o.hours, "hours", 0, "for how long jobs come that are counted, in place of the table's own time")
			set.Float64Var(&o.days, "days", 0, "the same in days")
			o.files = publicFiles
			set.StringVar(&o.files.history, "history", o.files.history, "usage of the month that is learnt: a file of the public folder, or a path; a series a row, a column each five minutes")
			set.StringVar(&o.files.usage, "usage", o.files.usage, "usage of the next month, of the same machines")
			set.StringVar(&o.files.dags, "dags", o.files.dags, "what the names of the files of vertices and edges begin with")
			set.StringVar(&o.files.stages, "stages", o.files.stages, "the same of measured stages, for the times of tasks")
			set.StringVar(&o.files.reference, "reference", "", "patterns of the machines, such as stats_utilization.csv.gz (default: as the classifier finds)")
		},
		Run: func(ctx context.Context, quick bool) (*report.Report, error) {
			asked := *o
			if asked.quick = quick; quick {
				asked.seeds = min(asked.seeds, 1)
			}
			r, err := run(ctx, asked)
			if err == nil && quick {
				r.Checks = nil // one seed shows that it works, and nothing else
			}
			if public.Absent(err) {
				return &report.Report{Notes: []string{fmt.Sprintf("Left out: it needs the public traces in %s: %v.", public.Folder(), err)}}, nil
			}
			return r, err
		},
	}
}

// sized is how many servers there are, and for how long jobs come that are counted.
func (o *options) sized(servers int, hours float64) (int, time.Duration) {
	if o.servers != 0 {
		servers = o.servers
	}
	if o.hours+o.days > 0 {
		hours = o.hours + 24*o.days
	}
	return servers, time.Duration(hours * float64(time.Hour))
}

// all are the seeds.
func (o *options) all() (seeds []uint64) {
	for i := range o.seeds {
		seeds = append(seeds, o.seed+uint64(i))
	}
	return seeds
}

// from is when a run begins: with one of the first three weeks of the future month.
func from(rng *rand.Rand) time.Duration { return time.Duration(rng.IntN(3)) * 7 * 24 * time.Hour }

// lead is for how long no jobs come yet: it draws the hour and the day.
func lead(rng *rand.Rand) time.Duration { return time.Duration(rng.IntN(72*12)) * public.Step }

// trial is one run.
type trial struct {
	system system
	seed   uint64
	after  time.Duration // jobs that come before teach their lengths, and are not counted
	of     func() sim.Scenario
}

// outcomes runs trials on all cores. They come in order.
func outcomes(ctx context.Context, trials []trial) ([]outcome, error) {
	return parallel.Each(ctx, len(trials), func(ctx context.Context, i int) (outcome, error) {
		t := &trials[i]
		s := t.of()
		steered := map[string]bool{} // to classes
		s.Watch = func(_ time.Duration, _ uint64, e subjects.Event) {
			if e, ok := e.(*subjects.Steered); ok && e.Anew == "" {
				steered[e.Job] = slices.ContainsFunc(e.Classes, func(c subjects.SteeredClass) bool { return c.Picked })
			}
		}
		r, err := sim.Run(ctx, s)
		if err != nil {
			return outcome{}, fmt.Errorf("%s, seed %d: %w", t.system.name, t.seed, err)
		}
		o := outcomeOf(&s, r, t.after)
		for _, to := range steered {
			if !to {
				o.nowhere++
			}
		}
		o.nowhere /= float64(len(r.Jobs))
		o.expose(&s, r, steered)
		return o, nil
	})
}

// over is the mean of a figure over outcomes.
func over(all []outcome, figure func(*outcome) float64) float64 {
	var values []float64
	for i := range all {
		values = append(values, figure(&all[i]))
	}
	return stat.Mean(values).Mean
}

func jobSeconds(o *outcome) float64 { return o.job }
func kills(o *outcome) float64      { return o.kills }

// row is what a system's runs came to.
func row(cells report.Row, all []outcome) report.Row {
	killed := over(all, func(o *outcome) float64 { return o.kills / o.attempts })
	nowhere := over(all, func(o *outcome) float64 { return o.nowhere })
	return append(cells,
		report.Cell{Key: "job_s", Value: over(all, jobSeconds)}, report.Cell{Key: "open", Value: over(all, func(o *outcome) float64 { return o.open })},
		report.Cell{Key: "kills", Value: over(all, kills)}, report.Cell{Key: "kills_per_attempt", Value: killed},
		report.Cell{Key: "jobs_to_no_class", Value: nowhere},
		report.Cell{Key: "lost_core_h", Value: over(all, func(o *outcome) float64 { return o.lost })},
		report.Cell{Key: "done_core_h", Value: over(all, func(o *outcome) float64 { return o.done })},
		report.Cell{Key: "crowded_server_s_a_day", Value: over(all, func(o *outcome) float64 { return o.crowded })},
		report.Cell{Key: "crowded_core_s_a_day", Value: over(all, func(o *outcome) float64 { return o.wanted })},
		report.Cell{Key: "broken_server_s_a_day", Value: over(all, func(o *outcome) float64 { return o.broken })},
		report.Cell{Key: "restored_after_s", Value: over(all, func(o *outcome) float64 { return o.restored })},
		report.Cell{Key: "at_most_s", Value: over(all, func(o *outcome) float64 { return o.longest })},
	)
}
