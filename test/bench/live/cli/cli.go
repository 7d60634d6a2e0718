// Package cli measures what a user waits for: a listing of a large pool, and a command line of many
// short tasks beside GNU parallel.
package cli

import (
	"context"

	"lull/test/bench/live/host"
	"lull/test/report"
	"lull/test/tables"
)

// Table is the benchmark.
var Table = tables.Table{Name: "cli", What: "commands on a large pool, and a command line of many short tasks beside a document and GNU parallel", Run: run}

// effort is how much is measured.
type effort struct {
	hosts, jobs int // of the pool that is listed
	runs        int // of each command
	less        int // divides the tasks of each command line
	rounds      int // of all programs
}

var (
	full  = effort{hosts: 1_000, jobs: 10_000, runs: 100, less: 1, rounds: 3}
	small = effort{hosts: 20, jobs: 200, runs: 5, less: 50, rounds: 1}
)

func run(ctx context.Context, quick bool) (*report.Report, error) {
	n := full
	if quick {
		n = small
	}
	r := &report.Report{}
	err := host.WithInstance(ctx, func(in *host.Instance, binary, _ string) error {
		return listings(ctx, r, in, binary, n)
	})
	if err != nil {
		return r, err
	}
	return r, beside(ctx, r, n)
}
