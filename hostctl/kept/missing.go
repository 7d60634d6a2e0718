package kept

import (
	"context"

	"lull/hostctl/actor"
	"lull/hostctl/store"
	"lull/subjects"
)

// Missed makes the keeper look for missing outputs soon. Call it when a reader did not find one.
func (k *Keeper) Missed() { k.missed.Raise() }

// checkMissed looks for missing outputs once the host has joined, and after each call of Missed.
func (k *Keeper) checkMissed(ctx context.Context) {
	k.Missed() // outputs may have vanished while the agent was down
	k.checkOn(ctx, k.missed, k.CheckMissing)
}

// CheckMissing looks once for every output that the slotter counts on, and reports those that are
// certainly missing: see store.Store.Gone. It returns their number.
func (k *Keeper) CheckMissing(ctx context.Context) (missing int, err error) {
	err = k.cfg.Slotter.EachKept(ctx, k.cfg.Host, func(outputs []subjects.KeptOutput) {
		gone := k.missingOf(outputs)
		if len(gone) == 0 {
			return
		}
		missing += len(gone)
		k.vanished.Add(float64(len(gone)))
		k.cfg.Logger.Warn("outputs that are still read have vanished: their tasks run again", "outputs", len(gone), "first", gone[0].Folder)
		k.cfg.Report(actor.Missing{Outputs: gone})
	})
	return missing, err
}

// missingOf returns those of the outputs that are certainly gone. It doubts those that it cannot
// read.
func (k *Keeper) missingOf(outputs []subjects.KeptOutput) (gone []actor.Output) {
	for _, o := range outputs {
		task := store.Task{Job: o.Job, Stage: o.Stage, Task: o.Task}
		missing, err := k.cfg.Store.Gone(task, o.Attempt, o.Manifest)
		switch {
		case err != nil:
			k.Doubt(o.Attempt)
		case missing:
			gone = append(gone, actor.Output{Attempt: o.Attempt, Job: o.Job, TaskID: o.TaskID, Folder: k.cfg.Store.Folder(task, o.Attempt).Path})
		}
	}
	return gone
}
