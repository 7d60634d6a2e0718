// Package jobmetrics turns what the slotter folds into metrics: jobs by state, deadlines met and
// missed, tasks by how they ended, queues, and how well ends were predicted.
//
//	measured := jobmetrics.New(actor, pool, registry)
//	shell.New(shell.Config{Actor: measured, …})
//
// The actor is pure, and only its shell's loop may read it. So the metrics are set in Step.
//
// Gauges show what the instance has folded, so all instances of a pool show the same.
// Counters count only what the instance folds while it leads. So no entry is counted
// by two instances, or again when one restarts and folds old entries.
package jobmetrics
