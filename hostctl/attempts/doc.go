// Package attempts runs the attempts that the log assigns to a host, from their assignment to the
// report of their end.
//
//	runner := attempts.New(config)
//	err := runner.AdoptFrom(ctx, slot)   // what an earlier agent left, before the first term
//	runner.Start(task)                   // the log assigned it
//	runner.Kill(attempt, reason, atOnce)
//	runner.Forget(task, committed)       // its end stands in the log
//	runner.Leave(quit); runner.Wait()
//
// Every attempt is one goroutine:
//
//	Start  ──▶ folder ▶ input ▶ shim ─┐
//	                                  ├─▶ process runs ▶ exit ▶ output hashed, synced ▶ Ended
//	Adopt  ──▶ found in a shim ───────┘
//
// Fetching, hashing and waiting happen there, so no method but AdoptFrom and Wait blocks. What
// becomes of an attempt goes to Config.Report, and again after Adopt in each new term.
//
//	Runner       starts, adopts and ends the attempts of the host
//	table        the attempts by their ids
//	run          one attempt: its slot, its folder, what became of it so far
//	execution    the goroutine's way from assignment to end
//	publication  the same for an attempt that publishes a job's results
//
// # Attempts of an earlier agent
//
// Their shims outlived it. They run on, and count as tasks of this host, from the moment that
// AdoptFrom has found them. The log may be long in coming: until it has named an attempt, the
// host's actor does not know it and could not evict it. EvictUnclaimed does that for it.
//
// # Locks
//
// A goroutine that holds table.mu may take run.mu, never the other way round. A run's slot and
// folder do not change, so they are read without a lock. Config.Report is called with run.mu held.
package attempts
