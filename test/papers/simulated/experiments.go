// Package simulated repeats the papers' tables and figures in the simulator, with the actors
// that services run.
//
// Policies meet the same arrivals, loads and variance of tasks, seed by seed; differences between
// them are paired. The same seeds give the same figures on any machine.
package simulated

import (
	"context"
	"flag"

	"lull/test/report"
	"lull/test/tables"
)

// experiment is one table.
type experiment struct {
	name, what string
	seeds      int // by default
	run        func(ctx context.Context, o options) (*report.Report, error)
}

var experiments = []experiment{
	{"mimp-table3", "the case study: 174 jobs on 20 shared hosts, every policy and the bound", 30, table3},
	{"mimp-figure7", "predicted finish while slots come and go", 10, figure7},
	{"mimp-figure9", "errors injected into the models", 10, figure9},
	{"mimp-figure10", "map time while data nodes saturate, and rule iii", 5, figure10},
	{"mimp-figure11", "overload: deadlines met and missed, jobs rejected, by mode of admission", 10, figure11},
	{"mimp-figure12", "average completion time of tasks over utilisation", 10, figure12},
	{"mimp-figure13", "distribution of terasort's completion times", 20, figure13},
	{"mimp-figure14", "distribution of pi's completion times", 20, figure14},
	{"mimp-figure15", "slots of each job over the first ten minutes", 10, figure15},
	{"mimp-figure16", "which servers ran what", 10, figure16},
	{"control-table3-sim", "queues that share a cluster: makespans of 50 jobs on 4 nodes and on 400, simulated", 3, controlTable3Sim},
}

// replays are the tables that replay a trace of jobs on measured loads of hosts. Flags name other files.
var replays = []experiment{
	{"swim", "a day of Facebook's jobs on hosts that follow measured loads", 3, swimPolicies},
	{"swim-steered", "the same with and without steering by what was learnt of the hosts' tenants", 3, swimSteered},
	{"swim-placing", "the same over links, with and without a placer", 3, swimPlacing},
}

// Tables are all experiments and replays.
func Tables() (all []tables.Table) {
	for _, e := range experiments {
		all = append(all, e.table(false))
	}
	for _, e := range replays {
		all = append(all, e.table(true))
	}
	return all
}

func (e experiment) table(trace bool) tables.Table {
	o := new(options)
	return tables.Table{
		Name: e.name, What: e.what, Exact: true,
		Flags: func(set *flag.FlagSet) { o.flags(set, e.seeds, trace) },
		Run: func(ctx context.Context, quick bool) (*report.Report, error) {
			o.Quick = quick
			return e.run(ctx, o.settled())
		},
	}
}
