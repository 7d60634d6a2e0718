// Package slots holds a host's places for tasks. A Slot is a shim, launched with the first task,
// and a cgroup; it starts, stops, freezes and adopts what runs there. Freezer freezes all slots.
// Caps is the one owner of the slots' CPU caps.
//
// Locks: a slot's gate is taken before its mu, and both before nothing else. Commit is
// independent of both. Freezer's lock is not held while it freezes a slot.
package slots
