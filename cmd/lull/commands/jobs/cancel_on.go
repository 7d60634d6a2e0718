package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"lull/client"
	"lull/cmd/lull/interrupt"
	"lull/subjects"
)

// leaveAfter is how long an interrupted command waits for services that do not take its cancel. On a
// busy machine they may need seconds.
const leaveAfter = 30 * time.Second

// cancelOn cancels the job when the user asks for it. The function it returns
// says whether that happened.
func cancelOn(on *interrupt.Interrupts, c *client.Client, job string, screen screen) func() bool {
	stop := context.AfterFunc(on.Asked, func() {
		if on.Insisted.Err() != nil {
			return
		}
		why := "interrupted"
		if err := on.Unwritten(); err != nil {
			why = err.Error()
			_, _ = fmt.Fprintf(screen, "Cancelling %s: %s.\n", job, why)
		} else {
			_, _ = fmt.Fprintf(screen, "Cancelling %s. Press Ctrl-C again to leave at once.\n", job)
		}
		v, err := c.Cancel(on.Insisted, client.Request{Job: job, Why: why})
		switch {
		case errors.Is(err, client.ErrNoVerdict):
			leaveUnanswered(on, job, screen)
		case err != nil && !tooLate(v, err):
			_, _ = fmt.Fprintf(screen, "Cancelling failed: %v\n", err)
		}
	})
	return func() bool { return !stop() }
}

// tooLate reports whether a cancel failed because the job had ended by itself. The command shows that end, and
// may have closed its connection by then.
func tooLate(v *subjects.Verdict, err error) bool {
	return errors.Is(err, nats.ErrConnectionClosed) || errors.Is(err, client.ErrRefused) && v.Code == ""
}

// leaveUnanswered makes the command leave its job after a while if admission does not answer the cancel. When
// the log's disk is full nothing can be decided, and a script that sent SIGTERM would wait for ever.
// The inbox keeps the cancel.
func leaveUnanswered(on *interrupt.Interrupts, job string, screen screen) {
	select {
	case <-on.Insisted.Done(): // the job has ended, or the user insists
	case <-time.After(leaveAfter):
		_, _ = fmt.Fprintf(screen, "Admission does not answer; its disk may be full (lull doctor). Leaving: %s is cancelled when it answers again.\n", job)
		on.Leave()
	}
}
