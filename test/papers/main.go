// Command papers prints the tables and figures of the papers that lull builds
// on, as the simulator repeats them with the actors that services run:
//
//	go run ./test/papers mimp-table3 [--seeds N] [--seed S] [--quick] [--output table|json]
//
// Policies meet the same arrivals, loads and luck, seed by seed; differences
// between them are paired. The checks below a table are computed from its
// rows. A check that misses its bound is printed, not hidden, and does not
// fail the command. See docs/papers.md for what each table means.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"lull/cmd/lull/serve"
	"lull/test/report"
)

// experiment is one table.
type experiment struct {
	name, what string
	seeds      int // by default; live for what is measured on this machine
	run        func(ctx context.Context, o options) (*report.Report, error)
}

// live experiments run real tasks: they have no seeds to repeat them by.
const live = 0

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
	{"control-table1", "how operators follow their CPU cap on this machine: a, b, R², steady state", live, controlTable1},
	{"control-figure6", "throughput, reference and cap of a task beside a competing job", live, controlFigure6},
	{"control-figure7", "throughput of jobs at three capacities", live, controlFigure7},
	{"control-table3", "queues that share this machine: makespans of real jobs", live, controlTable3},
	{"control-table3-sim", "queues that share a cluster: makespans of 50 jobs on 4 nodes and on 400, simulated", 3, controlTable3Sim},
	{"swim", "a day of Facebook's jobs on hosts that follow measured loads", 3, swim},
}

func main() {
	if status, aside := serve.Aside(os.Args); aside { // of an agent that a control experiment runs
		os.Exit(status)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	code := run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string) int {
	if len(args) == 0 {
		return usage("name an experiment")
	}
	at := slices.IndexFunc(experiments, func(e experiment) bool { return e.name == args[0] })
	if at < 0 {
		return usage("no experiment is called " + args[0])
	}
	e := experiments[at]
	flags := flag.NewFlagSet("papers "+e.name, flag.ExitOnError)
	o, output := optionsOf(flags, max(e.seeds, 1))
	_ = flags.Parse(args[1:]) // ExitOnError
	result, err := e.run(ctx, o.settled())
	if err == nil {
		result.Name = e.name
		err = result.Write(os.Stdout, *output)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "papers %s: %v\n", e.name, err)
		return 1
	}
	return 0
}

func usage(why string) int {
	fmt.Fprintf(os.Stderr, "papers: %s\n", why)
	for _, e := range experiments {
		fmt.Fprintf(os.Stderr, "  go run ./test/papers %-18s %s\n", e.name, e.what)
	}
	return 2
}
