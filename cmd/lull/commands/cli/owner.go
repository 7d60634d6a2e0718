package cli

import (
	"context"
	"fmt"
	"time"

	"lull/client"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/serve/folder"
	"lull/cmd/lull/serve/local"
)

// abortWithOwner closes the client when the lull that owns the data folder ends: its server had a port and
// a token of its own, which do not come back. Otherwise a command that follows a job there would
// wait for ever.
func abortWithOwner(c *client.Client, data string, owner folder.Endpoint) {
	c.WhenLost(func(ctx context.Context) {
		tick := time.NewTicker(again)
		defer tick.Stop()
		for ctx.Err() == nil && !c.Connected() {
			if now, ok := local.Attach(data); !ok || now.PID != owner.PID {
				c.Abort(ownerGone(data, owner))
				return
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
	})
}

// again is the pause between two looks at the owner of the folder.
const again = 100 * time.Millisecond

func ownerGone(data string, owner folder.Endpoint) error {
	return exit.With(exit.Unreachable, fmt.Errorf(
		"the lull process of %s has ended (process %d); its jobs are stored: `lull up` goes on with them", data, owner.PID))
}
