package serve

import (
	"lull/hostctl/shim"
	"lull/hostctl/sum"
)

// The first arguments of the process that hashes large outputs: two, or `lull sum` by hand would
// wait for paths instead of being told that there is no such command.
const sumName, sumPaths = "sum", "-paths"

// hashing is the command of that process, nil where nobody would answer.
func hashing() []string {
	if !answers {
		return nil
	}
	return []string{"/proc/self/exe", sumName, sumPaths}
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
