package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tenant:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("tenant", flag.ContinueOnError)
	join := flags.String("join", "", "cgroup folders to run in, a:b")
	nice := flags.Int("nice", 0, "priority, -20 to 19")
	core := flags.Int("core", -1, "the only core to run on, -1 for all")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := settle(*join, *nice, *core); err != nil {
		return err
	}
	switch verb, rest := flags.Arg(0), flags.Args(); verb {
	case "serve":
		return serve(rest[1:])
	case "load":
		return load(rest[1:])
	case "batch":
		return batch(rest[1:])
	case "spread":
		return spread(rest[1:])
	default:
		return fmt.Errorf("%q is no verb: use serve, load, batch or spread (go doc ./test/bench/tenant)", verb)
	}
}
