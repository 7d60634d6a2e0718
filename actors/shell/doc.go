// Package shell runs an actor as a service: it feeds a core (package core) what comes from a bus,
// and carries out what the core calls for, in real time. One goroutine owns the core and the actor.
// Effects that take time run in goroutines of their own, and return through the mailbox.
//
//	config     what a shell is given
//	shell      the loop: take what is there, the log first, then decide once
//	perform    the core's effects: claims, batches, leases
//	fold       the log, from the last snapshot on
//	snapshot   saving the state, trimming the log
//	inbox      what clients published, and the senders that wait for a verdict (waiters,
//	           overhear, unstored)
//	telemetry  what no stream keeps: samples and questions
//	quarantine bytes that are no message of ours
//	health     what people are told
package shell
