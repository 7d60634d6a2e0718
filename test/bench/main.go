// Command bench prints the project's benchmarks as tables, each beside its
// rival in the same run, because a shared machine is noisy:
//
//	go run ./test/bench tasks|files|cli|firstday|verdict|queue|flat|decide|place|sim|classify|history|idle|agent|pressure|full|tct|interference|build [--output table|json] [--quick]
//
// Those below pure call the actors in this process. Those below live run lull and
// its tasks on this machine. The checks below a table are computed from its rows. A check
// that misses its bound is printed, not hidden, and does not fail the command.
package main

import (
	"os"

	"lull/test/bench/live/agent"
	"lull/test/bench/live/build"
	"lull/test/bench/live/cli"
	"lull/test/bench/live/files"
	"lull/test/bench/live/firstday"
	"lull/test/bench/live/flat"
	"lull/test/bench/live/full"
	"lull/test/bench/live/interference"
	"lull/test/bench/live/past"
	"lull/test/bench/live/pressure"
	"lull/test/bench/live/tasks"
	"lull/test/bench/live/tct"
	"lull/test/bench/pure"
	"lull/test/bench/pure/classify"
	"lull/test/bench/pure/sim"
	"lull/test/tables"
)

var bench = tables.Command{Path: "go run ./test/bench", Name: "bench", Tables: []tables.Table{
	tasks.Table,
	files.Table,
	cli.Table,
	firstday.Table,
	pure.Verdict,
	pure.Queue,
	flat.Table,
	pure.Decide,
	pure.Place,
	sim.Table,
	classify.Table,
	past.Table,
	agent.Idle,
	agent.Table,
	pressure.Table,
	full.Table,
	tct.Table,
	interference.Table,
	build.Table,
}}

func main() {
	if code, aside := tasks.RunAsChild(os.Args); aside {
		os.Exit(code)
	}
	os.Exit(bench.Main(os.Args[1:]))
}
