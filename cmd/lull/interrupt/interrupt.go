// Package interrupt distinguishes the first signal to end (Ctrl-C, SIGTERM, or the SIGHUP of a closing
// terminal) from the second one. The first asks a command to end in order, the second to end at once.
package interrupt

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Interrupts are the signals that a command handles.
type Interrupts struct {
	// Asked ends at the first signal, Insisted at the second.
	Asked, Insisted context.Context
	// Stop ends both, and restores the signals' default effects.
	Stop func()

	ask    context.CancelCauseFunc
	leave  context.CancelCauseFunc
	broken chan os.Signal // gets SIGPIPE; nothing reads it, because the write that raised it fails too
}

// echo is the time after the first signal in which another one counts as a copy of it. Wrappers such as
// timeout and make pass on a signal that the whole process group has received already, and no person
// presses Ctrl-C twice so fast.
const echo = 300 * time.Millisecond

var errTwice = errors.New("interrupted twice")

// Listen catches the signals until Stop is called.
func Listen(parent context.Context) *Interrupts {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, caught(signal.Ignored)...)
	on := countSignals(parent, signals)
	leave := on.Stop
	on.Stop = func() {
		signal.Stop(signals)
		signal.Stop(on.broken)
		leave()
	}
	return on
}

// caught returns the signals that ask for an end. SIGHUP, which a closing terminal sends, is not among
// them if the process ignores it: a command under nohup has to go on.
func caught(ignored func(os.Signal) bool) []os.Signal {
	some := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !ignored(syscall.SIGHUP) {
		some = append(some, syscall.SIGHUP)
	}
	return some
}

// Twice reports whether it was a second signal that ended Insisted.
func (i *Interrupts) Twice() bool { return errors.Is(context.Cause(i.Insisted), errTwice) }

// Leave ends Insisted as a second signal would.
func (i *Interrupts) Leave() { i.leave(errTwice) }

// countSignals ends Asked at the first signal and Insisted at the second. See echo.
func countSignals(parent context.Context, signals <-chan os.Signal) *Interrupts {
	insisted, leave := context.WithCancelCause(parent)
	asked, ask := context.WithCancelCause(insisted)
	go func() {
		var first time.Time
		for {
			select {
			case <-signals:
			case <-insisted.Done():
				return
			}
			switch {
			case first.IsZero():
				first = time.Now()
				ask(nil)
			case time.Since(first) > echo:
				leave(errTwice)
			}
		}
	}()
	return &Interrupts{
		Asked: asked, Insisted: insisted, Stop: func() { leave(nil) },
		ask: ask, leave: leave, broken: make(chan os.Signal, 1),
	}
}
