package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"lull/subjects/spec"
	"lull/test/report"
)

// table3Slots are two for each of two jobs that run at once, on however many
// cores: a rate, not a slot, is what a job has of the machine.
const table3Slots = 4

// liveJobs of each queue, at least eight, in numbers with which all queues run dry
// together.
var liveJobs = map[string][]int{fairShare: {8, 8}, priority: {16, 8}, unmanaged: {8, 8}, exclusive: {8}}

// live is the way's queues with their jobs on this machine.
func (way sharing) live(quick bool) (queues []sharedQueue) {
	for i, q := range way.queues {
		q.jobs = liveJobs[way.name][i]
		if quick {
			q.jobs = max(q.jobs/4, 2)
		}
		queues = append(queues, q)
	}
	return queues
}

// controlTable3 is the paper's Table 3 on this machine: real tasks of the paper's
// operators in queues of a whole pool.
func controlTable3(ctx context.Context, o options) (*report.Report, error) {
	r := &report.Report{Notes: []string{
		"makespan: from a job's first task to its end, in seconds. Jobs that ended after the other queue had run dry are left out of it.",
		"a job: select, join and group-by, two tasks each, and an order-by of one. Two jobs at once have two slots each.",
		"All times leave out what the hypervisor took of the machine: stolen_percent of the run.",
	}}
	values, ways := map[string]float64{}, waysOf(o)
	err := withPrograms(ctx, func(b *bench) error {
		if err := b.learnJobs(ctx); err != nil {
			return err
		}
		if !o.Quick {
			if err := b.fit(ctx); err != nil {
				return err
			}
			r.Notes = append(r.Notes, fmt.Sprintf("a job is stretched × %.2f, to take some %v alone.", b.stretch, alone))
		}
		for _, way := range ways {
			rows, err := b.share(ctx, way, o, values)
			if err != nil {
				return fmt.Errorf("%s: %w", way.name, err)
			}
			r.Rows = append(r.Rows, rows...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(ways) == len(sharings) {
		r.Checks = sharingChecks(func(way, metric string) float64 { return values[way+": "+metric] }, "")
	}
	return r, nil
}

// waysOf are those asked for, all by default.
func waysOf(o options) []sharing {
	return slices.DeleteFunc(slices.Clone(sharings), func(way sharing) bool {
		return !slices.ContainsFunc(strings.Split(o.Ways, ","), func(begin string) bool { return strings.HasPrefix(way.name, begin) })
	})
}

// share runs the jobs in one way, on a pool of its own.
func (b *bench) share(ctx context.Context, way sharing, o options, values map[string]float64) (rows []report.Row, err error) {
	size := usual
	if o.Quick {
		size = brief
	}
	queues := way.live(o.Quick)
	spans, stolen, err := b.inPool(ctx, way.pace, queues, func(queue string) *spec.Doc { return b.query(queue, size) })
	if err != nil {
		return nil, err
	}
	of, whole := shared(spans)
	values[way.name+": whole_h"] = whole.Hours()
	for i, q := range queues {
		m, paper := of[q.name], way.paper[i]
		values[way.name+": "+q.name+": makespan_s"], values[way.name+": "+q.name+": deviation_s"] = m.mean, m.deviation
		rows = append(rows, append(sharedRow(way, q, m, whole, paper), report.Cell{Key: "stolen_percent", Value: 100 * stolen}))
	}
	return rows, soFar(rows)
}

func sharedRow(way sharing, q sharedQueue, m makespan, whole time.Duration, paper paperSpan) report.Row {
	return report.Row{
		{Key: "way", Value: way.name}, {Key: "queue", Value: q.name}, {Key: "jobs", Value: q.jobs}, {Key: "counted", Value: m.jobs},
		{Key: "makespan_s", Value: m.mean}, {Key: "deviation_s", Value: m.deviation}, {Key: "whole_s", Value: whole.Seconds()},
		{Key: "paper_makespan_s", Value: paper.mean}, {Key: "paper_deviation_s", Value: paper.deviation}, {Key: "paper_whole_h", Value: way.whole},
	}
}

// soFar tells who waits what is known, which a run that is cut off keeps.
func soFar(rows []report.Row) error {
	return (&report.Report{Name: "so far", Rows: rows}).Write(os.Stderr, "table")
}
