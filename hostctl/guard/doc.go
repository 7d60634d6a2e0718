// Package guard is the pure half of the guard, which protects a host's primary from batch work. It
// folds samples of the primary's waits, and returns the bounds for batch work.
//
//	g := guard.New(guard.Config{Cores: 8, Fewer: true, Budget: guard.DefaultBudget, …})
//	for each sample {
//		orders := g.Step(now, sample)
//		… carry out what changed
//	}
//
// It keeps a budget: how long the primary's threads wait for a CPU while batch work has one, per
// CPU second that they use. The kernel's idle class and package spread keep that time low and cost
// hardly any harvest. When the budget is exceeded all the same, the guard takes further means, in
// the order of their cost to batch work: fewer cores; freezing, after seconds without effect; at
// last the eviction of tasks for which other hosts have room. It keeps a reserve of memory by reclaiming page cache and then evicting tasks. It
// bounds batch work's disk rate while other processes stall for disks.
//
// A CPU quota is not among the means. Measured on two cores with Linux 6.18, beside eight processes
// that compute, at 30, 60 and 85 % load: with the idle class alone a server's p99 was 1.6, 1.9 and
// 1.3 times its p99 without batch work. With a quota as well it was 4.3, 2.2 and 1.4 times, and a
// third to most of the harvest was lost. Freezing at the first complaint is not among them either.
// It came too late for the tail (1.8, 2.7 and 1.2 times), and batch work got only 12 to 74 % of the
// idle CPU.
//
// Fill names the task that fills the disk before the disk's reserve is used: the task that
// wrote most, not the youngest. Ration is MIMP's rule against the starvation of batch work.
package guard
