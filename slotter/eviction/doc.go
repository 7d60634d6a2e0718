// Package eviction chooses which attempts end on a host so that a task has room there.
//
// A Host has its taken slots, its free memory, and its Victims: the attempts that might end, in the
// order of the work they would lose. MakeRoom lists the ones that have to end for one task, and
// leaves out those that prove unnecessary:
//
//	slots  [A][B][ ][C]   a task of two slots: B ends, if it may, whatever A would lose
//
// Whether an attempt may end is the caller's question: it knows queues and deadlines. The
// caller compares hosts by Cost, and then calls End and Take on the one that it chose.
package eviction
