// Package guarding holds batch work back for the primary's sake: the loop around the decisions
// of package guard.
//
//	Guardian   the loop: it samples, lets guard.Guard decide, applies what changed
//	sampler    what the guard decides on: the primary's waits, memory, disk, batch work's CPU
//	actuator   what it sets: cores, memory and disk bounds, the class, freezing and yielding
//	restorer   what other programs wrote to lull's cgroups: it is put back
//
// The loop runs 1 to 100 times a second; a notice of memory pressure by the kernel wakes it too.
//
// Locks: Guardian's mu guards the newest orders, for Allowed and Frozen, and restorer's mu what was told. No
// other lock is taken while one is held, and no function of Config is called.
package guarding
