// Package swim prepares a day of Facebook's jobs (SWIM, FB-2009) on hosts with measured usage, for the tables that
// replay it.
package swim

import "time"

const (
	// Hosts stand for the 600 nodes of FB-2009.
	Hosts = 16
	// Cores is how many each of them has.
	Cores = 2
	// Load is the work of a trace over what the primaries leave in its time: bytes are scaled until it is
	// so, whatever the trace.
	Load = 0.5
	// Quick is how much of a trace a quick run replays.
	Quick = 2 * time.Hour
)
