package interrupt

import (
	"context"
	"os"

	"lull/cmd/lull/exit"
)

// Context returns a context that ends with the first SIGINT or SIGTERM. A second signal ends
// the process at once.
func Context(parent context.Context) (context.Context, context.CancelFunc) {
	on := Listen(parent)
	context.AfterFunc(on.Insisted, func() {
		if on.Twice() {
			os.Exit(exit.Interrupted)
		}
	})
	return on.Asked, on.Stop
}
