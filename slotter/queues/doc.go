// Package queues keeps the queues with live jobs and their accounts: what each one has of the pool,
// what its share is, and its recent excess or shortfall. It answers which queue's turn it is for
// the next slot, how many jobs of a queue may run, and what a queue must give up for others.
//
// A round of assignments counts demand first and reads shares then:
//
//	set.ClearDemand()
//	for each job: q.HeldSlots += …; q.WaitingSlots += …
//	contest := set.Divide(now, slots, borrow)   // shares, and the accounts brought up to now
//	if q.Turn() < other.Turn() { … }            // q is served first
//
// What a share is of a whole, and how an account forgets, is in package capacity.
// The package is pure: the time is an argument.
package queues
