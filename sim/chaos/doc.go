// Package chaos injects faults into a simulated pool, and checks what must never happen.
//
// A seed makes a small pool with its jobs and a script of faults; the script is
// data, and has a text form:
//
//	1m2s loseack slotter/0 op=append
//	2m5s crash admission/0 for=3s
//	3m lose * op=telemetry for=40s
//
// After every entry of the log the invariants are checked (see watcher), and after the faults
// every job must end. A failing seed prints its script, shortened to the faults that matter. Saved
// under testdata, it is replayed by every run of the tests from then on:
//
//	go test ./sim/chaos                      # two hundred seeds, and the scripts
//	go test ./sim/chaos -seeds 5000 -first 1 # as many as you have time for
package chaos
