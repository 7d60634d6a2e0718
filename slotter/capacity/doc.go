// Package capacity divides a pool's capacity among queues, their jobs and the running tasks (Park
// and Humphrey, sections 5.1 and 5.2: capacity policies, and T/K for K tasks that run beside each
// other).
//
// All shares are parts of the pool's capacity, 0 to 1. What a share means in bytes/s depends on the
// type, because an idle core reads more for a grep than for a sort: a type's capacity is what the
// whole pool reads for it.
//
//	capacity 1 ──▶ queues, by weight ──▶ jobs, alike ──▶ stages, by tasks ──▶ T/K
//	               2 : 1                 1 : 1           8 : 1
//
// Each division is weighted max-min fairness (see Divide). No claim gets more than it can use, and
// what it cannot use goes to the others. So no capacity is left while any claim could use it. What
// a job needs for its deadline comes first (see Plan).
//
// Account records which queue had less than its share of the slots, and for how long. Running tasks
// keep their slots, so a queue with jobs that come late finds the slots taken.
//
// The package is pure: no clock, no state but what it is given.
package capacity
