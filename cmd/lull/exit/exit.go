// Package exit has the exit codes of the lull command, and the errors that carry them from a
// failure to main, which ends the process.
package exit

import (
	"context"
	"errors"
)

// Exit codes. They are part of what scripts rely on: they do not change.
const (
	OK          = 0   // all went well; for a job: it finished
	Error       = 1   // something went wrong; the message says what
	Usage       = 2   // the command line or the job file is wrong
	Failed      = 3   // the job failed
	Rejected    = 4   // the job was rejected at admission
	Cancelled   = 5   // the job was cancelled
	Unreachable = 6   // NATS cannot be reached
	Unread      = 141 // nothing reads its output any more, as after SIGPIPE
	Interrupted = 130 // ended by SIGINT or SIGTERM, as shells say it
)

// coded is an error with an exit code.
type coded struct {
	code int
	err  error
}

func (c *coded) Unwrap() error { return c.err }

func (c *coded) Error() string {
	if c.err == nil {
		return ""
	}
	return c.err.Error()
}

// With gives err an exit code. A nil err makes an error without text, for a caller that has printed
// everything already.
func With(code int, err error) error { return &coded{code: code, err: err} }

// Code returns the exit code of err: 0 for nil, what With gave it, Interrupted
// for a cancelled context, Error for the rest.
func Code(err error) int {
	var c *coded
	switch {
	case err == nil:
		return OK
	case errors.As(err, &c):
		return c.code
	case errors.Is(err, context.Canceled):
		return Interrupted
	}
	return Error
}
