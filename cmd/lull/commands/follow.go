package commands

import (
	"context"
	"time"

	"lull/client"
	"lull/client/progress"
	"lull/subjects/ledger"
)

// redraw is how often the screen is brought up to date: often enough to look
// alive, seldom enough to cost nothing.
const redraw = 200 * time.Millisecond

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
	tick := time.NewTicker(redraw)
	defer tick.Stop()
	last, due := ledger.Submitted, true
	for {
		j := f.view.State.Job(f.job)
		changed := j != nil && j.Phase != last
		if due || changed {
			f.screen.show(f.now(j))
		}
		if changed {
			last = j.Phase
		}
		if j != nil && j.Phase.Ended() {
			return j, nil
		}
		var err error
		if due, err = f.view.Step(ctx, tick.C); err != nil {
			return nil, err
		}
	}
}

// now is what is to be shown at this moment. Until admission has moved the job
// into the log there is no more than its id.
func (f *follower) now(j *ledger.Job) progress.View {
	now := time.Now()
	v := progress.View{Job: f.job, Now: now, Since: now, Note: "waiting for admission to read it"}
	if j != nil {
		v = progress.Of(f.view.State, j, f.usage.Hosts(), now)
	}
	if !f.client.Connected() {
		v.Note = cutOff(f.client)
	}
	return v
}
