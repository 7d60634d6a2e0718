// Package goenv makes the environment of lull's own processes on a host: shims, publishers and those that hash. They
// inherit nothing else of the agent's.
package goenv

import "os"

// raceDetector has options that only binaries built with the race detector read: by default each of them sleeps for a
// second before it exits.
const raceDetector = "GORACE"

// Of returns the variables, and what every such process has.
func Of(variables ...string) []string {
	all := append(variables[:len(variables):len(variables)], "GOTRACEBACK=single")
	if options, ok := os.LookupEnv(raceDetector); ok {
		all = append(all, raceDetector+"="+options)
	}
	return all
}
