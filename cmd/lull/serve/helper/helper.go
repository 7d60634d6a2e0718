// Package helper starts the processes that an agent needs beside itself: the shims of its slots,
// the one that hashes large outputs, and the one that moves the primary's threads. They are this
// same program with other arguments.
package helper

import (
	"errors"
	"fmt"
	"os"

	"lull/cmd/lull/exit"
	"lull/hostctl/sense"
	"lull/hostctl/shim"
	"lull/hostctl/spread"
	"lull/hostctl/spreading"
	"lull/hostctl/sum"
)

// The first arguments of the processes that an agent starts beside its shims. Sum hashes
// large outputs and takes two arguments, so that `lull sum` typed by hand is an unknown
// command. Spread moves the primary's threads.
const (
	Sum      = "sum"
	SumPaths = "-paths"
	Spread   = "spread"
)

// Command returns the command line of such a process, nil in a program that does not call
// Main.
func Command(args ...string) []string {
	if !callsMain {
		return nil
	}
	return append([]string{"/proc/self/exe"}, args...)
}

// callsMain is set by Main. A program that does not call it, such as a test that runs an agent,
// must not be started as a helper: it would run from its beginning, with an agent that starts it
// again.
var callsMain bool

// Main runs a helper if args, which are os.Args, name one. It returns the exit status, and
// whether args named one. A program with an agent calls it before all else, because helpers
// should cost no start-up time or memory. An agent in a program that does not call it has no
// process that moves threads.
func Main(args []string) (status int, ran bool) {
	callsMain = true
	if len(args) < 2 {
		return 0, false
	}
	switch {
	case args[1] == "shim":
		return shim.Main(args[2:]), true
	case args[1] == Spread:
		return moveThreads(args[2:]), true
	case len(args) > 2 && args[1] == Sum && args[2] == SumPaths:
		return sum.Main(args[3:]), true
	}
	return 0, false
}

// moveThreads returns the exit status that the agent expects.
func moveThreads(args []string) int {
	err := sense.MoveThreads(args)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, sense.ErrNotStartedByAgent):
		fmt.Fprintln(os.Stderr, "lull:", err)
		return exit.Usage
	}
	fmt.Fprintln(os.Stderr, err)
	if errors.Is(err, spread.ErrImmovable) {
		return spreading.StatusImmovable
	}
	return 1
}
