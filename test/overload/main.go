// Command overload measures whether admitted jobs meet their deadlines, and how many jobs are rejected for
// that:
//
//	go run ./test/overload [--loads 0.8,1.2,2] [--policies edf,mp,mp+] [--seeds N]
//	go run ./test/overload --hosts usage.csv.gz --jobs jobs.csv.gz [--take N] [--until 2h] [--speed X]
//
// The first offers four slots of different residuals more than they can do, the second replays
// measured hosts and jobs. Both run the real services in virtual time under every mode of
// admission, with the same jobs and variance:
//
//	met, missed  admitted jobs, by their deadlines
//	rejected     jobs that were refused
//	regret       those of them that meet their deadlines if no job is refused
//
// --why prints the reasons that rejected jobs got.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"
)

// options are what the flags say.
type options struct {
	loads    []float64
	policies []string
	seeds    int
	span     time.Duration
	why      bool
	traces   traces
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "overload:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	o, output, err := parse(os.Args[1:])
	if err != nil {
		return err
	}
	r, err := o.report(ctx)
	if err != nil {
		return err
	}
	return r.Write(os.Stdout, output)
}

func parse(args []string) (o options, output string, err error) {
	flags := flag.NewFlagSet("overload", flag.ExitOnError)
	loads := flags.String("loads", "0.8,1.2,1.6,2", "offered work over what the slots can do, separated by commas")
	policies := flags.String("policies", "edf,mp,mp+", "policies, separated by commas")
	flags.IntVar(&o.seeds, "seeds", 6, "how many seeds")
	flags.DurationVar(&o.span, "span", 4*time.Hour, "how long jobs are offered")
	flags.BoolVar(&o.why, "why", false, "print why jobs were rejected")
	flags.StringVar(&o.traces.Hosts, "hosts", "", "CSV file with the usage of hosts")
	flags.StringVar(&o.traces.Jobs, "jobs", "", "CSV file with jobs")
	flags.IntVar(&o.traces.Take, "take", 60, "how many hosts to read")
	flags.DurationVar(&o.traces.Until, "until", 2*time.Hour, "leave out samples and jobs from then on")
	flags.Float64Var(&o.traces.Nodes, "nodes", 600, "servers that the trace of jobs is of")
	flags.Float64Var(&o.traces.Speed, "speed", 1, "submit jobs so many times as fast")
	flags.BoolVar(&o.traces.Align, "align", false, "submit the first job with the first sample, whatever the clocks say, and all jobs")
	flags.StringVar(&output, "output", "table", "table or json")
	_ = flags.Parse(args) // ExitOnError
	o.policies = strings.Split(*policies, ",")
	if (o.traces.Hosts == "") != (o.traces.Jobs == "") {
		return o, output, fmt.Errorf("--hosts and --jobs belong together: give both, or neither")
	}
	for _, text := range strings.Split(*loads, ",") {
		load, err := strconv.ParseFloat(text, 64)
		if err != nil || !(load > 0) {
			return o, output, fmt.Errorf("--loads: %q is no positive number", text)
		}
		o.loads = append(o.loads, load)
	}
	return o, output, nil
}
