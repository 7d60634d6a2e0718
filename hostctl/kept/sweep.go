package kept

import (
	"context"
	"slices"
	"time"
)

const (
	// sweepInterval is the time between two questions of what is still wanted.
	sweepInterval = 10 * time.Minute
	sweepBatch    = 1000 // jobs in one question
)

// sweepRegularly calls Sweep after every sweepInterval.
func (k *Keeper) sweepRegularly(ctx context.Context) {
	tick := time.NewTicker(sweepInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := k.Sweep(ctx); err != nil {
				k.cfg.Logger.Warn("old outputs are not removed", "error", err)
			}
		}
	}
}

// Sweep asks the slotter once which jobs are still wanted, and removes the folders of the others.
// Without an answer all stay.
func (k *Keeper) Sweep(ctx context.Context) error {
	if err := k.cfg.Store.Sent().Sweep(time.Now()); err != nil {
		return err
	}
	jobs, err := k.cfg.Store.Jobs()
	if err != nil {
		return err
	}
	for batch := range slices.Chunk(jobs, sweepBatch) {
		if err := k.sweepJobs(ctx, batch); err != nil {
			return err
		}
	}
	return nil
}

func (k *Keeper) sweepJobs(ctx context.Context, jobs []string) error {
	wanted, err := k.cfg.Slotter.Wanted(ctx, jobs)
	if err != nil {
		return err
	}
	for _, job := range jobs {
		if slices.Contains(wanted, job) || k.cfg.Busy(job) {
			continue
		}
		if err := k.cfg.Store.RemoveJob(job); err != nil {
			return err
		}
		k.cfg.Logger.Info("removed the outputs of a job that are no longer needed", "job", job)
	}
	return nil
}
