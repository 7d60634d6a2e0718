// Command papers prints the tables and figures of the papers that lull builds on:
//
//	go run ./test/papers mimp-table3 [--seeds N] [--seed S] [--quick] [--output table|json]
//
// Several names print several tables. Those that read the same simulations, as figures 11 to 14 do, make each once.
//
// Those of package simulated are exact: a check that misses its bound fails the command.
// Those of package live are measured on this machine: a miss is printed. The checks below a
// table are computed from its rows. See docs/papers.md for what each table means.
package main

import (
	"os"
	"slices"

	"lull/cmd/lull/serve/helper"
	"lull/test/papers/harvest"
	"lull/test/papers/live"
	"lull/test/papers/placing"
	"lull/test/papers/simulated"
	"lull/test/papers/wired"
	"lull/test/tables"
)

func main() {
	if status, aside := helper.Main(os.Args); aside { // of an agent that an experiment runs
		os.Exit(status)
	}
	papers := tables.Command{Path: "go run ./test/papers", Name: "papers", Tables: slices.Concat(simulated.Tables(), harvest.Tables(), placing.Tables(), live.Tables(), wired.Tables())}
	os.Exit(papers.Main(os.Args[1:]))
}
