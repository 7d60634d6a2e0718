// Package refusal has the error of an attempt that does not run, with the reason that the log
// records.
package refusal

import "lull/hostctl/actor"

// Error says why an attempt does not run.
type Error struct {
	Outcome actor.Outcome // Declined or Failed
	Reason  string        // a code of package subjects
	Err     error
}

func (e Error) Error() string { return e.Err.Error() }

func (e Error) Unwrap() error { return e.Err }

// Decline returns an error of this host alone: the task may run elsewhere or later, and it costs
// no retry.
func Decline(reason string, err error) error { return Error{actor.Declined, reason, err} }

// Fail returns an error that would be the same elsewhere or later.
func Fail(reason string, err error) error { return Error{actor.Failed, reason, err} }
