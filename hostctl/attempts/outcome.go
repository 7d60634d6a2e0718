package attempts

import (
	"errors"
	"fmt"

	"lull/hostctl/actor"
	"lull/hostctl/disk"
	"lull/hostctl/shim"
	"lull/hostctl/store"
	"lull/subjects"
	"lull/subjects/spec"
)

// tailBytes is how much of a failed task's stderr goes into the log.
const tailBytes = 1024

// outcome turns the shim's last event into the report for the log. A nil event means that the
// shim itself is gone.
func (x *execution) outcome(e shim.Event) actor.Ended {
	end := actor.Ended{Attempt: x.Attempt, Outcome: actor.Evicted, Reason: subjects.ReasonVanished, Trace: x.doc.Trace}
	switch e := e.(type) {
	case *shim.Exited:
		end.Run = subjects.Run{Start: e.Start, Seconds: max(e.Seconds, 0), CPU: max(e.CPU, 0), In: e.In, Out: e.Out}
		x.meter.Complete(&end.Run, x.input)
		x.applyExit(e, &end)
	case *shim.StartFailed:
		end.Outcome, end.Reason, end.Text, end.Final = actor.Failed, e.Reason, e.Text, e.Final
		if e.Reason == subjects.ReasonSlot {
			end.Outcome = actor.Declined
		}
		if x.stage().Publish {
			end.Reason, end.Text = subjects.ReasonOutput, notRunnableText(e, x.cfg.Policy.User)
		}
	default:
		x.emptySlot() // the shim, which would end the task's processes, is gone
	}
	return end
}

// applyExit turns the exit of the task's process into the attempt's end, and commits its output if
// the task succeeded.
func (x *execution) applyExit(e *shim.Exited, end *actor.Ended) {
	reason := e.Reason
	if x.killAsked && maybeOurKill(reason) {
		reason = shim.ReasonKilled
	}
	switch reason {
	case shim.ReasonKilled:
		end.Reason = x.endReason()
		end.Saved = savedAfter(x.folder, e.Start)
		if end.Reason == subjects.ReasonDisk {
			x.fullDisk(end)
		}
	case "":
		x.commitOutput(end)
	case subjects.ReasonExit:
		if x.stage().Publish {
			publication{x}.failed(e, end)
			return
		}
		followExit(x, e, end)
	default:
		x.failed(e, end)
	}
}

// followExit does what the stage says of the exit status.
func followExit(x *execution, e *shim.Exited, end *actor.Ended) {
	do := spec.AfterExit(x.stage(), e.Status)
	if do == spec.ExitDone {
		x.commitOutput(end)
		return
	}
	if x.failed(e, end); end.Outcome != actor.Failed || end.Reason != subjects.ReasonExit {
		return // the disk is full
	}
	switch do {
	case spec.ExitFail:
		end.Final, end.Text = true, "on_exit: fail, so it is not tried again"
	case spec.ExitAgain:
		end.Again, end.Text = true, "on_exit: again, which costs no retry"
	}
}

// maybeOurKill reports whether the agent itself may have caused an end with this reason. When the primary needs
// the CPU at once, the agent kills the slot's processes before the shim has read the order to do so. A
// shim that got no CPU meanwhile then reports that the process died. Without this check the task would
// count as failed and use up a retry.
func maybeOurKill(reason string) bool {
	return reason == subjects.ReasonExit || reason == subjects.ReasonSignal || reason == subjects.ReasonInput
}

// failed fills in the report of an attempt in which the task's process failed. A full disk makes most
// commands fail. So a failure while the disk is full does not count against the task, unless the task
// itself filled the disk.
func (x *execution) failed(e *shim.Exited, end *actor.Ended) {
	if (e.Reason == subjects.ReasonExit || e.Reason == subjects.ReasonSignal) && x.cfg.Disk.Exhausted() {
		x.cfg.Logger.Error("a task failed while its host's disk was full", "attempt", x.Attempt, "status", e.Status, "error", e.Text)
		x.fullDisk(end)
		return
	}
	end.Outcome, end.Reason, end.Exit, end.Text = actor.Failed, e.Reason, int32(e.Status), e.Text
	end.Tail, end.Final = store.Tail(x.folder.Stderr(), tailBytes), e.Final
	switch {
	case e.Reason == subjects.ReasonMemory && e.Final:
		end.Text = overLimit(x.stage())
	case e.Reason == subjects.ReasonExit && end.Text == "" && x.slot != nil:
		b := x.cfg.bounds(x.slot, x.folder)
		end.Text = fencedOff(end.Tail, x.cfg.Policy, b.Write, b.User)
	}
}

// fullDisk fills in the report of an attempt that ended because the disk is full. The task runs again
// elsewhere, or here once there is room. If the task itself filled the disk, it uses up one of its retries.
func (x *execution) fullDisk(end *actor.Ended) {
	end.Outcome, end.Reason = actor.Evicted, subjects.ReasonDisk
	if x.stage().Publish {
		return // a publishing task writes to the job's output folder, not to its own
	}
	why, own := x.cfg.Disk.Blame(disk.Task{Job: x.Job, TaskID: x.TaskID}, x.onDisk())
	if own {
		end.Outcome, end.Text = actor.Failed, why
		end.Tail = store.Tail(x.folder.Stderr(), tailBytes)
	}
}

// overLimit says that a task exceeded its memory limit, as it would again under the same one. The unit is that in
// which people write such limits: MiB if it is a whole number of them, else MB. If the stage's limit is unknown (0), the text names none.
func overLimit(s *spec.Stage) string {
	switch {
	case s.Memory == 0:
		return "it went over its memory limit"
	case s.Memory%(1<<20) == 0:
		return fmt.Sprintf("it went over its memory limit of %d MiB: raise `memory:` of stage %s", s.Memory>>20, s.Name)
	}
	return fmt.Sprintf("it went over its memory limit of %.4g MB: raise `memory:` of stage %s", float64(s.Memory)/1e6, s.Name)
}

// commitOutput makes the output of a task that ended well durable. If the disk is full, fullDisk decides
// whether that is the task's fault.
func (x *execution) commitOutput(end *actor.Ended) {
	// The slot may run its next task during the commit only if tasks are fenced: otherwise that task,
	// which runs as the same user, could change this output. A slot has one such commit at a time:
	// otherwise tasks could write outputs faster than the disk stores them.
	if x.cfg.fenced() && x.slot.Commit.TryLock() {
		defer x.slot.Commit.Unlock()
		x.vacateSlot()
	}
	ctx, stop := x.commitContext(x.cfg.Grace)
	defer stop()
	progress := store.NewProgress(x.folder)
	x.setStoring(progress)
	m, digest, err := progress.Commit(ctx)
	switch {
	case errors.Is(err, errUnwanted):
		end.Reason = x.endReason()
	case err == nil:
		end.Outcome, end.Reason = actor.Finished, ""
		end.Manifest, end.Fetch = digest, x.fetch
		for _, f := range m.Files {
			if f.Regular() {
				end.Files++
			}
			end.Run.Out += f.Stored()
		}
		if x.stage().Publish {
			end.Text = publication{x}.replacedText()
		}
	case store.IsFull(err):
		x.cfg.Logger.Error("no room for a task's output", "attempt", x.Attempt, "error", err)
		x.fullDisk(end)
	default:
		end.Outcome, end.Reason, end.Text = actor.Failed, subjects.ReasonOutput, text(err)
		end.Final = errors.Is(err, store.ErrOutput)
	}
}

// vacateSlot frees the attempt's slot for the next one before its output is committed.
func (x *execution) vacateSlot() {
	x.cfg.Pacer.End(x.Attempt) // so that this attempt's CPU cap does not limit the next one
	x.setExited()
	x.cfg.Report(actor.Exited{Attempt: x.Attempt})
}
