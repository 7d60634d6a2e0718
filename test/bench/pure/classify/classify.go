// Package classify measures what the classifier knows of public series of usage, beside rivals.
package classify

import (
	"context"
	"fmt"

	"lull/test/public"
	"lull/test/report"
	"lull/test/tables"
)

// Table measures what the classifier's core knows of public series of usage.
var Table = tables.Table{Name: "classify", What: "patterns, forecasts and survival on public series, each beside its rival", Run: run}

// months are three in which the machines are by all signs the same.
var months = [...]string{"bitbrains_rnd_2013-07", "bitbrains_rnd_2013-08", "bitbrains_rnd_2013-09"}

// otherSets are the sets that last a week or more.
var otherSets = [...]string{"azure_v1_avg_100", "alibaba2018_machines", "smd_machines", "nab_ec2"}

// classified is a part of the table.
type classified func(ctx context.Context, m *monthly, quick bool, r *report.Report) error

func run(ctx context.Context, quick bool) (*report.Report, error) {
	r := &report.Report{Notes: []string{
		"Learnt from July and scored on August, learnt from August and scored on September. The constants were chosen with both scores in view: this is no blind test.",
		"Each row has its own rival. ratio: ours over the rival's, so less is better.",
	}}
	if err := speed(ctx, quick, r); err != nil {
		return nil, err
	}
	m, err := readMonths()
	if public.Absent(err) {
		r.Notes = append(r.Notes, fmt.Sprintf("All other rows need the public series in %s, and are left out: %v.", public.Folder(), err))
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	for _, part := range []classified{agreement, stability, forecasts, survivals} {
		if err := part(ctx, m, quick, r); err != nil {
			return nil, err
		}
	}
	return r, nil
}
