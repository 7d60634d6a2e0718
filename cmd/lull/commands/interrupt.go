package commands

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// interrupts are the user's Ctrl-C, or a SIGTERM: the first one asks, the
// second one insists.
type interrupts struct {
	// Asked ends with the first, Insisted with the second.
	Asked, Insisted context.Context
	stop            func()
}

// listen catches the signals until stop is called.
func listen(parent context.Context) *interrupts {
	insisted, leave := context.WithCancel(parent)
	asked, ask := context.WithCancel(insisted)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		for _, next := range []func(){ask, leave} {
			select {
			case <-signals:
				next()
			case <-insisted.Done():
				return
			}
		}
	}()
	stop := func() {
		signal.Stop(signals)
		leave()
	}
	return &interrupts{asked, insisted, stop}
}
