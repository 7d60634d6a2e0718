package commands

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// interrupts are the user's Ctrl-C, or a SIGTERM: the first one asks, the
// second one insists.
type interrupts struct {
	// Asked ends with the first, Insisted with the second.
	Asked, Insisted context.Context
	stop            func()
}

// echo is how soon after the first a second signal is taken for the same:
// wrappers such as timeout and make pass on what the whole process group got
// already, and nobody presses twice so fast.
const echo = 300 * time.Millisecond

// listen catches the signals until stop is called.
func listen(parent context.Context) *interrupts {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	on := heed(parent, signals)
	leave := on.stop
	on.stop = func() {
		signal.Stop(signals)
		leave()
	}
	return on
}

// heed counts the signals.
func heed(parent context.Context, signals <-chan os.Signal) *interrupts {
	insisted, leave := context.WithCancel(parent)
	asked, ask := context.WithCancel(insisted)
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
				ask()
			case time.Since(first) > echo:
				leave()
			}
		}
	}()
	return &interrupts{asked, insisted, leave}
}
