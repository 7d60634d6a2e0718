package serve

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"lull/cmd/lull/exit"
)

// untilSignal returns a context that ends with the first SIGINT or SIGTERM.
// A second one ends the process at once: whoever presses twice means it.
func untilSignal(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		defer signal.Stop(signals)
		select {
		case <-signals:
			cancel()
		case <-ctx.Done():
		}
		select {
		case <-signals:
			os.Exit(exit.Interrupted)
		case <-parent.Done():
		}
	}()
	return ctx, cancel
}
