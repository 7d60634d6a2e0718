package hostctl

import (
	"context"
	"errors"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/store"
	"lull/subjects"
)

// An output may vanish from a live host: by a clean-up job, by hand, or with another disk under
// the data folder. Readers would then be refused for ever. So the agent compares its disk with
// the outputs that the slotter counts on, after it has joined and after a reader asked for an
// output that is not there. A reader's request alone proves nothing: it may ask for anything.

const (
	// firstCheck is the pause after a check. It doubles while checks find nothing missing, so
	// that readers that ask for outputs that never existed cost little.
	firstCheck = time.Second
	lastCheck  = time.Minute
	// checkShare bounds the time that checks take: one part in checkShare.
	checkShare = 10
)

// Missed makes the agent check its outputs soon.
func (a *Agent) Missed() { notify(a.missed) }

// checkKept checks the outputs after each call of Missed.
func (a *Agent) checkKept(ctx context.Context) {
	select {
	case <-a.ready:
	case <-ctx.Done():
		return
	}
	a.Missed() // while this agent was away
	for pause := firstCheck; ; {
		select {
		case <-a.missed:
		case <-ctx.Done():
			return
		}
		began := time.Now()
		missing, err := a.CheckKept(ctx)
		if err != nil {
			a.cfg.Logger.Info("what is kept is not compared with the log yet; trying again", "in", pause, "error", err)
			a.Missed()
		}
		select {
		case <-time.After(max(pause, checkShare*time.Since(began))):
		case <-ctx.Done():
			return
		}
		if pause = min(2*pause, lastCheck); missing > 0 {
			pause = firstCheck
		}
	}
}

// CheckKept looks once for every output that the slotter counts on, and reports those that are
// certainly missing: see store.Store.Gone.
func (a *Agent) CheckKept(ctx context.Context) (missing int, err error) {
	for ask := (subjects.KeptAsk{Host: a.cfg.Host}); ; {
		var answer subjects.KeptAnswer
		if err := a.ask(ctx, subjects.AskKept, &ask, &answer); err != nil {
			return missing, err
		}
		if answer.Error != "" {
			return missing, errors.New(answer.Error)
		}
		if gone := a.notHere(answer.Outputs); len(gone) > 0 {
			missing += len(gone)
			a.vanished.Add(float64(len(gone)))
			a.cfg.Logger.Warn("outputs that are still read have vanished: their tasks run again", "outputs", len(gone), "first", gone[0].Folder)
			a.report(actor.Missing{Outputs: gone})
		}
		if ask.From = answer.Next; ask.From == (subjects.KeptFrom{}) {
			return missing, nil
		}
	}
}

// notHere returns those of the outputs that are certainly gone.
func (a *Agent) notHere(outputs []subjects.KeptOutput) (gone []actor.Output) {
	for _, o := range outputs {
		task := store.Task{Job: o.Job, Stage: o.Stage, Task: o.Task}
		folder := a.store.Folder(task, o.Attempt).Path
		missing, err := a.store.Gone(task, o.Attempt, o.Manifest)
		switch {
		case err != nil:
			a.cfg.Logger.Warn("an output that is still read cannot be looked at, or is damaged", "folder", folder, "error", err)
		case missing:
			gone = append(gone, actor.Output{Attempt: o.Attempt, Job: o.Job, TaskID: o.TaskID, Folder: folder})
		}
	}
	return gone
}
