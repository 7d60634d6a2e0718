// Package slots holds a host's places for tasks. A Slot is a shim, launched with the first task,
// and a cgroup; it starts, stops, freezes and adopts what runs there.
//
//	Set          all slots of a host, with the tree of their cgroups
//	Slot         one place
//	Holds        why a slot is frozen
//	MemoryLimit  the limit of a slot's tasks
//	Weight       what they have of the CPU beside others
//	Caps         the one owner of the slots' CPU caps
//	Freezer      freezes and thaws all slots
//
// Locks: a slot's gate is taken before its mu, and the lock of a Set before that of Caps. Those of
// Holds, MemoryLimit, Caps and Freezer are leaves: their holders take no other. Commit is independent
// of all.
package slots
