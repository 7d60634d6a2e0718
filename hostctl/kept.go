package hostctl

import (
	"context"
	"errors"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/store"
	"lull/subjects"
)

// An output may vanish from a host that lives: by a clean-up job, by hand, or with another disk
// under the data folder. Readers would be refused for ever. So the agent compares its disk
// with what the slotter counts on: when it has joined, and when a reader asked for what is not there. A
// reader's word alone proves nothing; it may ask for anything.

const (
	// firstCheck is the pause after a look at what is kept. It doubles while a look finds nothing
	// missing, so that readers who ask for what never was cost little.
	firstCheck = time.Second
	lastCheck  = time.Minute
	// checkShare is the part of the time, at most, that looks take: one in so many.
	checkShare = 10
)

// Missed makes the agent look at what it keeps, soon.
func (a *Agent) Missed() { notify(a.doubts) }

// checkKept looks whenever it is called for.
func (a *Agent) checkKept(ctx context.Context) {
	select {
	case <-a.ready:
	case <-ctx.Done():
		return
	}
	a.Missed() // while this agent was away
	for pause := firstCheck; ; {
		select {
		case <-a.doubts:
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

// CheckKept looks once for every output that the slotter counts on, and tells the log which are
// missing. Where it cannot be sure it says nothing: see store.Store.Gone.
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
			a.cfg.Logger.Warn("outputs that are still read have vanished: their tasks run again", "outputs", len(gone), "first", gone[0].Folder)
			a.report(actor.Missing{Outputs: gone})
		}
		if ask.From = answer.Next; ask.From == (subjects.KeptFrom{}) {
			return missing, nil
		}
	}
}

// notHere returns those of the outputs that are gone for sure.
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
