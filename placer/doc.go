// Package placer chooses hosts for jobs whose stages exchange data (TARA). One instance leads a pool,
// because a placement depends on those of other jobs; others stand by.
//
//	a job was admitted, a stage of it reads another, and the network is known    Search
//	a search has ended                                                           job placed
//	hosts of a placed job are lost or drained                                    Search, job placed
//
// The Actor is pure. It folds the pool's log with a ledger of its own, and receives telemetry of what hosts
// use. A search takes longer than a step may, so it is an action: a shell makes the choice (package choice)
// and reports it. One search runs at a time. The next one begins when the event of the last is in the log,
// so that it counts the bandwidth promised there. The event holds what was chosen: a replay searches nothing.
//
// The event of a job that is not worth placing names no host, and the reason: the slotter then waits no
// longer.
//
// Packages: topology and flow, the network; predict, how long a job takes on a set of hosts; policy,
// shelf and search, which set to take; bound, how far from the best that is; picture, what a prediction
// needs of the log; choice, the answer for a job.
package placer
