// Package forged makes events as a broken or hostile writer may append them: of every kind, with values at
// which careless arithmetic breaks, about jobs, hosts and attempts that exist and about others. Tests fold
// them into each service, which must go on with its work.
//
//	forger := forged.New(seed, state)
//	for range 1000 {
//		fold(forger.Event())
//	}
//
// Each event is one that the log's vocabulary can decode: a fold meets no others.
package forged
