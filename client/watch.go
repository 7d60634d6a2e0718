package client

import (
	"context"
	"time"

	"lull/client/progress"
	"lull/subjects/ledger"
)

// Redraw is the interval at which a watch shows a job: short enough to look alive, and long enough to
// cost little.
const Redraw = 200 * time.Millisecond

// Watch follows a job until it has ended and returns its progress then. It calls show, unless nil, with
// the progress several times a second, and at once when the phase changes. The job may be one that admission has not read yet.
func (c *Client) Watch(ctx context.Context, job string, show func(progress.View)) (*progress.View, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	view, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	usage, err := c.Usage(ctx)
	if err != nil {
		return nil, err
	}
	j, err := view.Watch(ctx, job, usage, show)
	if err != nil {
		return nil, err
	}
	last := progress.Of(view.State, j, usage.Hosts(), time.Now())
	return &last, nil
}

// Watch is Client.Watch in an existing view, with the hosts' usage of CPU.
func (v *View) Watch(ctx context.Context, job string, usage *Usage, show func(progress.View)) (*ledger.Job, error) {
	tick := time.NewTicker(Redraw)
	defer tick.Stop()
	var end prediction
	if show != nil {
		asking, cancel := context.WithCancel(ctx)
		defer cancel()
		go end.follow(asking, v.client, job)
	}
	last, due := ledger.Submitted, true
	for {
		j := v.State.Job(job)
		changed := j != nil && j.Phase != last
		if show != nil && (due || changed) {
			show(end.in(v.Progress(job, usage)))
		}
		if changed {
			last = j.Phase
		}
		if j != nil && j.Phase.Ended() {
			return j, nil
		}
		var err error
		if due, err = v.Step(ctx, tick.C); err != nil {
			return nil, err
		}
	}
}

// Progress returns the present progress of a job. Until admission has moved the job into the log, only its
// id is known.
func (v *View) Progress(job string, usage *Usage) progress.View {
	now := time.Now()
	shown := progress.View{Job: job, Now: now, Since: now, Note: "waiting for admission to read it"}
	if j := v.State.Job(job); j != nil {
		shown = progress.Of(v.State, j, usage.Hosts(), now)
		if shown.Note == "" && !j.Phase.Ended() {
			shown.Note = progress.Stopped(v.State, j, usage.Speeds())
		}
	}
	if !v.client.Connected() {
		shown.Note = "the connection to " + v.client.Server() + " is lost: what is shown is old; waiting for it to come back"
	}
	return shown
}
