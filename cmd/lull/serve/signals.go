package serve

import (
	"context"
	"os"

	"lull/cmd/lull/exit"
	"lull/cmd/lull/interrupt"
)

// untilSignal returns a context that ends with the first SIGINT or SIGTERM.
// A second one ends the process at once: whoever presses twice means it.
func untilSignal(parent context.Context) (context.Context, context.CancelFunc) {
	on := interrupt.Listen(parent)
	context.AfterFunc(on.Insisted, func() {
		if on.Twice() {
			os.Exit(exit.Interrupted)
		}
	})
	return on.Asked, on.Stop
}
