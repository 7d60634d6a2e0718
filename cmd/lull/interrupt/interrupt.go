// Package interrupt distinguishes a user's first Ctrl-C, SIGTERM, or SIGHUP of a closing terminal
// from the second one. The first asks a command to end in order, the second at once.
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
	// Asked ends with the first, Insisted with the second.
	Asked, Insisted context.Context
	// Stop ends both, and restores the signals' default effects.
	Stop func()

	ask    context.CancelCauseFunc
	leave  context.CancelCauseFunc
	broken chan os.Signal // SIGPIPE; nothing receives it, as the write that raised it fails too
}

// echo is how soon after the first a second signal counts as the same: wrappers such as timeout and
// make pass on a signal that the whole process group received already, and no person presses twice
// so fast.
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

// caught are the signals that ask for an end. A terminal that closes sends SIGHUP, which
// nohup makes its command ignore.
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

// countSignals counts the signals.
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
