// Package faults wraps a Bus so that a script says what goes wrong, when, and
// whether before or after it took effect:
//
//	bus := faults.Wrap(inner,
//		faults.Fault{Op: faults.Append, Nth: 2, How: faults.LoseAck},
//		faults.Fault{Op: faults.Any, Nth: 7, How: faults.Crash})
//
// It is for tests and for the simulator; the same script runs over every Bus.
package faults
