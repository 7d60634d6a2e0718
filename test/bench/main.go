// Command bench prints the project's benchmarks as tables, each beside its
// rival in the same run, because a shared machine is noisy:
//
//	go run ./test/bench tasks|files|verdict|decide|sim|idle|agent|pressure|tct|interference [--output table|json] [--quick]
//
// The checks below a table are computed from its rows. A check that misses its
// bound is printed, not hidden, and does not fail the command.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"lull/test/report"
)

// benchmark is one table; quick asks for a small run that shows it works.
type benchmark struct {
	name, what string
	run        func(ctx context.Context, quick bool) (*report.Report, error)
}

var benchmarks = []benchmark{
	{"tasks", "no-op tasks end to end, beside xargs and the bare shim", tasks},
	{"files", "a shuffle and many input files, beside the shell doing the same", files},
	{"verdict", "an admission's verdict behind queues of promised jobs", verdict},
	{"queue", "memory and time of each service for long queues and large jobs", queue},
	{"decide", "the slotter's step alone, and events through the log", decide},
	{"sim", "the simulator, up to a day of 600 hosts", aDay.simulation},
	{"idle", "what an agent at rest costs", idle},
	{"agent", "what an agent costs at rest, with tasks, and beside a primary", costs.run},
	{"pressure", "how soon the guard acts when a primary begins to work", pressure.run},
	{"tct", "completion-time models of real tasks beside a real load (MIMP, Table 2 and Figure 6)", models.run},
	{"interference", "what a server's users notice of batch work beside it (MIMP, Figure 5 and Table 1)", interference.run},
}

// ownFlags are what a benchmark takes beside the flags of all.
var ownFlags = map[string]func(*flag.FlagSet){"tct": models.flags, "files": askedFiles.flags, "sim": aDay.flags, "agent": costs.flags, "pressure": pressure.flags, "interference": interference.flags}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	code := run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string) int {
	if len(args) == 0 {
		return usage("name a benchmark")
	}
	if args[0] == throughVerb {
		return fail(args[0], through(ctx, args[1:]))
	}
	at := slices.IndexFunc(benchmarks, func(b benchmark) bool { return b.name == args[0] })
	if at < 0 {
		return usage("no benchmark is called " + args[0])
	}
	flags := flag.NewFlagSet("bench "+args[0], flag.ExitOnError)
	output := flags.String("output", "table", "table or json")
	quick := flags.Bool("quick", false, "a small run that only shows that it works")
	if own := ownFlags[args[0]]; own != nil {
		own(flags)
	}
	_ = flags.Parse(args[1:]) // ExitOnError
	result, err := benchmarks[at].run(ctx, *quick)
	if err == nil {
		err = result.Write(os.Stdout, *output)
	}
	return fail(args[0], err)
}

func fail(name string, err error) int {
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench %s: %v\n", name, err)
		return 1
	}
	return 0
}

func usage(why string) int {
	fmt.Fprintf(os.Stderr, "bench: %s\n", why)
	for _, b := range benchmarks {
		fmt.Fprintf(os.Stderr, "  go run ./test/bench %-12s %s\n", b.name, b.what)
	}
	return 2
}
