// Package eviction chooses which attempts end on a host so that a task has room there.
//
// A Host holds which of its slots are taken, how much memory is free, and its Victims: the
// attempts that might end, those that lose the least work first. MakeRoom lists the ones
// that have to end for one task, and leaves out those that turn out not to be needed:
//
//	slots  [A][B][ ][C]   a task of two slots: B ends, if it may, whatever A would lose
//
// Whether an attempt may end is the caller's question: it knows queues and deadlines. The
// caller compares hosts by Cost, and then calls End and Take on the one that it chose.
package eviction
