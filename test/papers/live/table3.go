package live

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"lull/subjects/spec"
	"lull/test/papers/sharing"
	"lull/test/report"
)

// table3Slots is two for each of two jobs that run at once, on any number of cores: a job's part of
// the machine is a rate, not a slot.
const table3Slots = 4

// liveJobs of each queue, at least eight, in numbers with which all queues run dry
// together.
var liveJobs = map[string][]int{sharing.FairShare: {8, 8}, sharing.Priority: {16, 8}, sharing.Unmanaged: {8, 8}, sharing.Exclusive: {8}}

// liveQueues are a way's queues with their jobs on this machine.
func liveQueues(way sharing.Way, quick bool) (queues []sharing.Queue) {
	for i, q := range way.Queues {
		q.Jobs = liveJobs[way.Name][i]
		if quick {
			q.Jobs = max(q.Jobs/4, 2)
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
				return fmt.Errorf("%s: %w", way.Name, err)
			}
			r.Rows = append(r.Rows, rows...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(ways) == len(sharing.Ways) {
		r.Checks = sharing.Checks(func(way, metric string) float64 { return values[way+": "+metric] }, "")
	}
	return r, nil
}

// waysOf are those asked for, all by default.
func waysOf(o options) []sharing.Way {
	return slices.DeleteFunc(slices.Clone(sharing.Ways), func(way sharing.Way) bool {
		return !slices.ContainsFunc(strings.Split(o.Ways, ","), func(begin string) bool { return strings.HasPrefix(way.Name, begin) })
	})
}

// share runs the jobs in one way, on a pool of its own.
func (b *bench) share(ctx context.Context, way sharing.Way, o options, values map[string]float64) (rows []report.Row, err error) {
	size := usual
	if o.Quick {
		size = brief
	}
	queues := liveQueues(way, o.Quick)
	spans, stolen, err := b.inPool(ctx, way.Pace, queues, func(queue string) *spec.Doc { return b.query(queue, size) })
	if err != nil {
		return nil, err
	}
	of, whole := sharing.Sum(spans)
	values[way.Name+": whole_h"] = whole.Hours()
	for i, q := range queues {
		m, paper := of[q.Name], way.Paper[i]
		values[way.Name+": "+q.Name+": makespan_s"], values[way.Name+": "+q.Name+": deviation_s"] = m.Mean, m.Deviation
		rows = append(rows, append(sharedRow(way, q, m, whole, paper), report.Cell{Key: "stolen_percent", Value: 100 * stolen}))
	}
	return rows, soFar(rows)
}

func sharedRow(way sharing.Way, q sharing.Queue, m sharing.Makespan, whole time.Duration, paper sharing.Printed) report.Row {
	return report.Row{
		{Key: "way", Value: way.Name}, {Key: "queue", Value: q.Name}, {Key: "jobs", Value: q.Jobs}, {Key: "counted", Value: m.Jobs},
		{Key: "makespan_s", Value: m.Mean}, {Key: "deviation_s", Value: m.Deviation}, {Key: "whole_s", Value: whole.Seconds()},
		{Key: "paper_makespan_s", Value: paper.Mean}, {Key: "paper_deviation_s", Value: paper.Deviation}, {Key: "paper_whole_h", Value: way.Whole},
	}
}

// soFar prints what is known so far, so that a run that is cut off has shown it.
func soFar(rows []report.Row) error {
	return (&report.Report{Name: "so far", Rows: rows}).Write(os.Stderr, "table")
}
