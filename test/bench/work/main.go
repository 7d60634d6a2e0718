package main

import (
	"fmt"
	"os"
	"runtime"
)

// verbs are the programs: each takes so many arguments.
var verbs = map[string]struct {
	args int
	run  func(args []string) error
}{
	"pi":           {1, pi},
	"wordcount":    {0, wordCount},
	"sort":         {0, sortLines},
	"terasort":     {0, teraSort},
	"range-map":    {0, rangeMap},
	"range-sort":   {0, rangeSort},
	"records":      {1, printRecords},
	"kmeans-iter":  {1, kmeansIterate},
	"kmeans-class": {1, kmeansClassify},
	"grep-search":  {1, grepSearch},
	"grep-sort":    {0, grepSort},
	"prepare":      {1, prepare},
	"join":         {1, join},
	"fill":         {1, fill},
}

func main() {
	// A task has one slot: with more, the garbage collector would run beside it.
	runtime.GOMAXPROCS(1)
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "work:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("name a program: see its documentation (go doc ./test/bench/work)")
	}
	verb, ok := verbs[args[0]]
	if !ok || len(args)-1 != verb.args {
		return fmt.Errorf("%q with %d arguments is no program: see go doc ./test/bench/work", args[0], len(args)-1)
	}
	if err := verb.run(args[1:]); err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return nil
}
