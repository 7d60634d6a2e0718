package hostctl

import (
	"context"
	"net/http"
	"slices"
	"time"

	"lull/hostctl/fileserver"
	"lull/hostctl/store"
	"lull/subjects"
)

const (
	// sweepEvery is how often the slotter is asked what is still wanted.
	sweepEvery = 10 * time.Minute
	sweepBatch = 1000 // jobs in one question
)

// sweep deletes what is kept of jobs that nobody wants any more.
func (a *Agent) sweep(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := a.Sweep(ctx); err != nil {
				a.cfg.Logger.Warn("old outputs are not removed", "error", err)
			}
		}
	}
}

// Sweep asks once, and deletes what is not wanted. Without an answer all stays.
func (a *Agent) Sweep(ctx context.Context) error {
	jobs, err := a.store.Jobs()
	if err != nil {
		return err
	}
	for batch := range slices.Chunk(jobs, sweepBatch) {
		if err := a.sweepJobs(ctx, batch); err != nil {
			return err
		}
	}
	return nil
}

func (a *Agent) sweepJobs(ctx context.Context, jobs []string) error {
	var wanted subjects.WantedAnswer
	if err := a.ask(ctx, subjects.AskWanted, &subjects.WantedAsk{Jobs: jobs}, &wanted); err != nil {
		return err
	}
	for _, job := range jobs {
		if slices.Contains(wanted.Jobs, job) || a.works(job) {
			continue
		}
		if err := a.store.RemoveJob(job); err != nil {
			return err
		}
		a.cfg.Logger.Info("removed the outputs of a job that are no longer needed", "job", job)
	}
	return nil
}

// works reports whether an attempt of the job is in the agent's hands.
func (a *Agent) works(job string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range a.mu.runs {
		if r.Job == job {
			return true
		}
	}
	return false
}

// Running makes the agent a fileserver.Live.
func (a *Agent) Running(attempt uint64) (store.Folder, <-chan struct{}, bool) {
	if r := a.run(attempt); r != nil {
		return r.folder, r.done, true
	}
	return store.Folder{}, nil, false
}

func (a *Agent) handler() http.Handler {
	return fileserver.Handler(a.store, a, func(t string) bool { return a.tickets.Check(t, time.Now()) })
}
