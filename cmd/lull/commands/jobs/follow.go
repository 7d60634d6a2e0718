package jobs

import (
	"context"

	"lull/client"
	"lull/subjects/ledger"
)

// follower shows one job until it ends.
type follower struct {
	client *client.Client
	view   *client.View
	usage  *client.Usage
	screen screen
	job    string
}

// follow returns when the job has ended, or with ctx's error.
func (f *follower) follow(ctx context.Context) (*ledger.Job, error) {
	return f.view.Watch(ctx, f.job, f.usage, f.screen.show)
}
