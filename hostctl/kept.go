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
	a.Missed() // while this agent was away
	a.paced(ctx, a.missed, a.CheckKept)
}

// paced calls check after each token, once the agent is ready, for at most one part in checkShare
// of the time. check returns the number of outputs that it found wrong.
func (a *Agent) paced(ctx context.Context, asked chan struct{}, check func(context.Context) (int, error)) {
	select {
	case <-a.ready:
	case <-ctx.Done():
		return
	}
	for pause := firstCheck; ; {
		select {
		case <-asked:
		case <-ctx.Done():
			return
		}
		began := time.Now()
		wrong, err := check(ctx)
		if err != nil {
			a.cfg.Logger.Info("what is kept is not compared with the log yet; trying again", "in", pause, "error", err)
			notify(asked)
		}
		select {
		case <-time.After(max(pause, checkShare*time.Since(began))):
		case <-ctx.Done():
			return
		}
		if pause = min(2*pause, lastCheck); wrong > 0 {
			pause = firstCheck
		}
	}
}

// CheckKept looks once for every output that the slotter counts on, and reports those that are
// certainly missing: see store.Store.Gone.
func (a *Agent) CheckKept(ctx context.Context) (missing int, err error) {
	err = a.eachKept(ctx, func(outputs []subjects.KeptOutput) {
		gone := a.notHere(outputs)
		if len(gone) == 0 {
			return
		}
		missing += len(gone)
		a.vanished.Add(float64(len(gone)))
		a.cfg.Logger.Warn("outputs that are still read have vanished: their tasks run again", "outputs", len(gone), "first", gone[0].Folder)
		a.report(actor.Missing{Outputs: gone})
	})
	return missing, err
}

// eachKept visits the outputs that the slotter counts on, page by page.
func (a *Agent) eachKept(ctx context.Context, visit func([]subjects.KeptOutput)) error {
	for ask := (subjects.KeptAsk{Host: a.cfg.Host}); ; {
		var answer subjects.KeptAnswer
		if err := a.ask(ctx, subjects.AskKept, &ask, &answer); err != nil {
			return err
		}
		if answer.Error != "" {
			return errors.New(answer.Error)
		}
		visit(answer.Outputs)
		if ask.From = answer.Next; ask.From == (subjects.KeptFrom{}) {
			return nil
		}
	}
}

// notHere returns those of the outputs that are certainly gone. It doubts those that it cannot
// look at.
func (a *Agent) notHere(outputs []subjects.KeptOutput) (gone []actor.Output) {
	for _, o := range outputs {
		task := store.Task{Job: o.Job, Stage: o.Stage, Task: o.Task}
		missing, err := a.store.Gone(task, o.Attempt, o.Manifest)
		switch {
		case err != nil:
			a.Doubt(o.Attempt)
		case missing:
			gone = append(gone, actor.Output{Attempt: o.Attempt, Job: o.Job, TaskID: o.TaskID, Folder: a.store.Folder(task, o.Attempt).Path})
		}
	}
	return gone
}
