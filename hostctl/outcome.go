package hostctl

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/shim"
	"lull/hostctl/store"
	"lull/subjects"
	"lull/subjects/spec"
)

// tailBytes is how much of a failed task's stderr goes into the log.
const tailBytes = 1024

// outcome turns what the shim said into what the log is told. No event means
// that the shim itself is gone.
func (a *Agent) outcome(r *run, job *subjects.Submitted, e shim.Event) actor.Ended {
	end := actor.Ended{Attempt: r.Attempt, Outcome: actor.Evicted, Reason: subjects.ReasonVanished, Trace: job.Trace}
	switch e := e.(type) {
	case *shim.Exited:
		end.Run = subjects.Run{Start: e.Start, Seconds: max(e.Seconds, 0), CPU: max(e.CPU, 0), In: e.In, Out: e.Out}
		r.weigh(&end.Run)
		a.exited(r, job, e, &end)
	case *shim.StartFailed:
		end.Outcome, end.Reason, end.Text = actor.Failed, e.Reason, e.Text
		if e.Reason == subjects.ReasonSlot {
			end.Outcome = actor.Declined
		}
		if job.Spec.Stages[r.Stage].Publish {
			end.Reason, end.Text = subjects.ReasonOutput, mayRun(e, a.policy.User)
		}
	default:
		a.force(r) // nobody waits for its processes any more
	}
	return end
}

func (a *Agent) exited(r *run, job *subjects.Submitted, e *shim.Exited, end *actor.Ended) {
	switch e.Reason {
	case shim.ReasonKilled:
		end.Reason = r.unwanted()
	case "":
		a.commit(r, end)
	case subjects.ReasonExit:
		if job.Spec.Stages[r.Stage].Publish {
			a.unpublished(r, job, e, end)
			return
		}
		fallthrough
	default:
		end.Outcome, end.Reason, end.Exit, end.Text = actor.Failed, e.Reason, int32(e.Status), e.Text
		end.Tail = store.Tail(r.folder.Stderr(), tailBytes)
		if e.Reason == subjects.ReasonMemory {
			end.Text = overLimit(&job.Spec.Stages[r.Stage])
		}
	}
}

// overLimit names the limit as people write it: 50MB, or 64MiB. A stage of
// which nothing is known has none.
func overLimit(s *spec.Stage) string {
	switch {
	case s.Memory == 0:
		return "it went over its memory limit"
	case s.Memory%(1<<20) == 0:
		return fmt.Sprintf("it went over its memory limit of %d MiB: raise `memory:` of stage %s", s.Memory>>20, s.Name)
	}
	return fmt.Sprintf("it went over its memory limit of %.4g MB: raise `memory:` of stage %s", float64(s.Memory)/1e6, s.Name)
}

// unwanted is why an attempt had to end.
func (r *run) unwanted() string {
	var evicted eviction
	if errors.As(context.Cause(r.ctx), &evicted) {
		return evicted.reason
	}
	return subjects.ReasonRevoked
}

// commit makes the output of a task that ended well durable. A full disk is
// not the task's fault.
func (a *Agent) commit(r *run, end *actor.Ended) {
	// Without a fence the next task, of the same user, could change this output. A slot has one
	// such commit at a time: else tasks could make outputs faster than the disk takes them.
	if a.fenced() && r.slot.Commit.TryLock() {
		defer r.slot.Commit.Unlock()
		a.vacate(r)
	}
	ctx, stop := r.wanted(a.cfg.Grace)
	defer stop()
	m, digest, err := r.folder.Commit(ctx)
	switch {
	case errors.Is(err, errUnwanted):
		end.Reason = r.unwanted()
	case err == nil:
		end.Outcome, end.Reason = actor.Finished, ""
		end.Files, end.Manifest = uint32(len(m.Files)), digest
		for _, f := range m.Files {
			end.Run.Out += f.Size
		}
	case store.IsFull(err):
		end.Reason = subjects.ReasonDisk
		a.cfg.Logger.Error("no room for a task's output", "attempt", r.Attempt, "error", err)
	default:
		end.Outcome, end.Reason, end.Text = actor.Failed, subjects.ReasonOutput, text(err)
	}
}

// vacate frees the attempt's slot for the next one before its output is committed.
func (a *Agent) vacate(r *run) {
	a.pacer.End(r.Attempt) // the next one has no cap from it
	r.mu.Lock()
	r.mu.exited = true
	r.mu.Unlock()
	a.report(actor.Exited{Attempt: r.Attempt})
}

// errUnwanted ends a commit that takes too long for an attempt that is to end.
var errUnwanted = errors.New("the attempt is not wanted any more")

// wanted ends when a commit is to: some time after its attempt was told to end, because most
// are through with it by then and their work would be lost; at once if the agent
// goes and the shim keeps the end for the next one, which commits it anew.
func (r *run) wanted(grace time.Duration) (context.Context, func()) {
	ctx, stop := context.WithCancelCause(context.Background())
	go func() {
		defer stop(errUnwanted)
		select {
		case <-r.ctx.Done():
		case <-r.left:
			return
		case <-ctx.Done():
			return
		}
		select {
		case <-time.After(grace):
		case <-r.left:
		case <-ctx.Done():
		}
	}()
	return ctx, func() { stop(errUnwanted) }
}
