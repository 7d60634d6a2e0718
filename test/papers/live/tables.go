// Package live repeats Park and Humphrey's tables and figures with real tasks on this machine.
package live

import (
	"context"

	"lull/test/report"
	"lull/test/tables"
)

// Tables are all experiments.
func Tables() []tables.Table {
	o := new(options)
	with := func(run func(context.Context, options) (*report.Report, error)) func(context.Context, bool) (*report.Report, error) {
		return func(ctx context.Context, quick bool) (*report.Report, error) {
			o.Quick = quick
			return run(ctx, *o)
		}
	}
	return []tables.Table{
		{Name: "control-table1", What: "how operators follow their CPU cap on this machine: a, b, R², steady state", Run: with(controlTable1)},
		{Name: "control-figure6", What: "throughput, reference and cap of a task beside a competing job", Flags: o.plotFlag, Run: with(controlFigure6)},
		{Name: "control-figure7", What: "throughput of jobs at three capacities", Flags: o.plotFlag, Run: with(controlFigure7)},
		{Name: "control-table3", What: "queues that share this machine: makespans of real jobs", Flags: o.waysFlag, Run: with(controlTable3)},
	}
}
