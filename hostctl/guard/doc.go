// Package guard is the pure half of what keeps a host's primary from noticing
// batch work: it folds samples of what the primary suffers, and says what batch
// work is to be held to.
//
//	g := guard.New(guard.Config{Cores: 8, Fewer: true, Budget: guard.DefaultBudget, …})
//	for each sample {
//		orders := g.Step(now, sample)
//		… carry out what changed
//	}
//
// What it holds is a budget: how long the primary's threads wait for a CPU while
// batch work has one, per CPU second that they use. The kernel's idle class and
// package spread keep that low and cost hardly any harvest, so the guard leaves
// everything else alone until the budget is broken, and then takes the means in
// the order of what they cost batch work: fewer cores; after seconds in vain,
// stopping; at last eviction. Memory is guarded by its reserve (page cache first,
// then tasks), disks by the time that others stall for them.
//
// A CPU quota is not among the means. Measured on Linux 6.18, two cores, beside
// eight processes that compute: with the idle class alone a server's p99 at 30,
// 60 and 85 % load was 1.6, 1.9 and 1.3 times what it was alone; with a quota on
// top 4.3, 2.2 and 1.4 times, and a third to most of the harvest was gone. Nor
// is freezing on first sight: it came too late for the tail (1.8, 2.7 and 1.2
// times) and left between 12 and 74 % of the idle CPU.
//
// Fill names the task that fills the disk, before the reserve is touched: not the youngest, but
// the one that wrote most. Ration is MIMP's rule against starvation, in the same style.
package guard
