// Package chaos lets things go wrong in a simulated pool, and watches what must
// never happen.
//
// A seed makes a small pool with its jobs and a script of faults; the script is
// data, and has a text form:
//
//	1m2s loseack slotter/0 op=append
//	2m5s crash admission/0 for=3s
//	3m lose * op=telemetry for=40s
//
// After every entry of the log the invariants are checked (see Invariants),
// and when the faults are over every job must end. A seed that fails prints its
// script, shortened to what it takes; saved under testdata it is replayed by
// every run of the tests from then on:
//
//	go test ./sim/chaos                      # two hundred seeds, and the scripts
//	go test ./sim/chaos -seeds 5000 -first 1 # as many as you have time for
package chaos
