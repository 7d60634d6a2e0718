package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"

	"golang.org/x/sync/errgroup"

	"lull/admission"
	"lull/subjects"
	"lull/test/report"
)

// table is the results of one policy at one load, or on traces.
type table struct {
	study
	label   report.Cell
	sums    map[string]*tally
	reasons bytes.Buffer
}

// report runs all studies, as many at a time as there are cores, and reports their results.
func (o options) report(ctx context.Context) (*report.Report, error) {
	tables, err := o.tables()
	if err != nil {
		return nil, err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, t := range tables {
		group.Go(func() (err error) {
			if o.why {
				t.why = &t.reasons
			}
			t.sums, err = t.modes(ctx)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	r := &report.Report{Name: "overload", Notes: []string{
		"regret: rejected jobs that meet their deadlines if no job is rejected; under overload others are late for each of them.",
	}}
	for _, t := range tables {
		if _, err := io.Copy(os.Stdout, &t.reasons); err != nil {
			return nil, err
		}
		t.report(r)
	}
	return r, nil
}

func (o options) tables() (tables []*table, err error) {
	for _, policy := range o.policies {
		if o.traces.Jobs != "" {
			of, err := o.traces.read()
			if err != nil {
				return nil, err
			}
			tables = append(tables, &table{study: study{of: of, policy: policy, seeds: o.seeds}, label: report.Cell{Key: "hosts", Value: o.traces.Take}})
			continue
		}
		for _, load := range o.loads {
			tables = append(tables, &table{study: study{of: overloaded(load, o.span), policy: policy, seeds: o.seeds}, label: report.Cell{Key: "load", Value: load}})
		}
	}
	return tables, nil
}

// most is the share of jobs, in percent, that may be rejected at a load below 1. Even then, Poisson arrivals
// overload the slots at times: at a load of 0.8, no mode completes more than 88 % of the jobs in time.
const most = 16

func (t *table) report(r *report.Report) {
	for _, mode := range admission.Modes() {
		sum := t.sums[mode]
		r.Rows = append(r.Rows, report.Row{
			t.label, {Key: "policy", Value: t.policy}, {Key: "mode", Value: mode},
			{Key: "met", Value: sum.met}, {Key: "missed", Value: sum.missed + sum.others}, {Key: "rejected", Value: sum.rejected}, {Key: "regret", Value: sum.regret},
			{Key: "kept_percent", Value: 100 * sum.kept()}, {Key: "rejected_percent", Value: 100 * float64(sum.rejected) / float64(max(sum.jobs(), 1))},
		})
	}
	sum, what := t.sums[subjects.ModeAffected], fmt.Sprintf("%s %v, %s: ", t.label.Key, t.label.Value, t.policy)
	r.Checks = append(r.Checks, report.AtLeast(what+"admitted jobs that met their deadlines, %", 100*sum.kept(), 99))
	if load, ok := t.label.Value.(float64); ok && load < 1 {
		r.Checks = append(r.Checks, report.AtMost(what+"jobs rejected, %", 100*float64(sum.rejected)/float64(sum.jobs()), most))
	}
}
