// Package pacing holds jobs that compete to their shares of the pool's capacity, in bytes/s
// (Park and Humphrey, section 5). A slot is a core at most. Where tasks share more than
// cores, or more slots than there are cores, only a rate says what each of them may have.
//
// Rates are computed anew as tasks come and go. The hosts that run the tasks get new rates when
// those differ by more than a little. Where no jobs compete, none is paced. Package capacity
// divides a whole.
//
// The slotter keeps a Job beside each job that rounds look at, and calls Decide with each
// decision:
//
//	for _, e := range pacer.Decide(now, enforced, room) { … append e to the log … }
//
// The package is pure: it sees the pool through an interface, and time is an argument.
package pacing
