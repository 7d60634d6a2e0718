package hostctl

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/publish"
	"lull/hostctl/store"
	"lull/subjects"
)

// publish puts the results of the stages it reads where the user wants them.
// The agent does it itself, in the attempt's goroutine: there is no command to
// contain, and a crash makes the next attempt do it again, with the same result.
func (a *Agent) publish(r *run, job *subjects.Submitted) actor.Ended {
	start := time.Now()
	a.began(r, start.UnixNano(), job.Trace)
	err := a.place(r, job)
	end := actor.Ended{Attempt: r.Attempt, Outcome: actor.Finished, Trace: job.Trace}
	if err != nil {
		end = a.unpublished(r, err)
	}
	end.Run = subjects.Run{Start: start.UnixNano(), Seconds: time.Since(start).Seconds()}
	return end
}

func (a *Agent) place(r *run, job *subjects.Submitted) error {
	r.made = true
	if err := r.folder.Make(); err != nil {
		return err
	}
	if _, err := a.gather(r, job); err != nil {
		return err
	}
	for _, from := range job.Spec.Stages[r.Stage].From {
		name := job.Spec.Stages[from.Stage].Name
		source := filepath.Join(r.folder.In(), name)
		if err := publish.Stage(r.setup, source, job.Spec.Output, name, r.Job); err != nil {
			return fmt.Errorf("publish stage %s: %w", name, err)
		}
	}
	return nil
}

// unpublished tells a user's mistake from a host's trouble.
func (a *Agent) unpublished(r *run, err error) actor.Ended {
	var known refused
	if !errors.As(err, &known) && !store.IsFull(err) {
		err = refused{actor.Failed, subjects.ReasonOutput, err}
	}
	return a.unstarted(r, err)
}
