package serve

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

// The first arguments of the processes that an agent starts beside its shims: one hashes large
// outputs, one moves the primary's threads. The first has two, or `lull sum` by hand would
// wait for paths instead of being told that there is no such command.
const (
	sumName, sumPaths = "sum", "-paths"
	spreadName        = "spread"
)

// aside is the command of such a process, nil where this program would not answer to it.
func aside(args ...string) []string {
	if !answers {
		return nil
	}
	return append([]string{"/proc/self/exe"}, args...)
}

// answers says that this program is one that calls Aside. Another one, such as a
// test that runs an agent, must not be started for what it would not do: it would
// begin all over, with an agent that starts it again.
var answers bool

// Aside is what this program does in place of all else where an agent started it: it
// is a slot's shim, moves the primary's threads, or hashes outputs. A program with an agent calls it
// first, with os.Args: these processes should weigh nothing. Without the call its
// agent has no process that moves threads.
func Aside(args []string) (status int, aside bool) {
	answers = true
	if len(args) < 2 {
		return 0, false
	}
	switch {
	case args[1] == "shim":
		return shim.Main(args[2:]), true
	case args[1] == spreadName:
		return moveThreads(args[2:]), true
	case len(args) > 2 && args[1] == sumName && args[2] == sumPaths:
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
	case errors.Is(err, sense.ErrByHand):
		fmt.Fprintln(os.Stderr, "lull:", err)
		return exit.Usage
	}
	fmt.Fprintln(os.Stderr, err)
	if errors.Is(err, spread.ErrHopeless) {
		return spreading.Hopeless
	}
	return 1
}
