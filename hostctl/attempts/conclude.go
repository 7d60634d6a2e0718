package attempts

import (
	"errors"

	"lull/hostctl/actor"
	"lull/subjects"
)

// conclude reports the attempt's end, for which the slot's next task waits, and then tidies up.
func (x *execution) conclude(end actor.Ended, err error) {
	if errors.Is(err, errTaskStays) || x.abandoned() {
		return // the next agent reports it
	}
	if end.Outcome == actor.Failed {
		end.Label = x.label
	}
	x.setEnded(end)
	x.cfg.Pacer.End(x.Attempt) // the slot's next task has no cap from it
	if end.Outcome == actor.Declined && end.Reason == subjects.ReasonSlot {
		x.cfg.repair(x.slot) // first: the next task may be given at once
	}
	if x.needsTidying {
		x.linkLogs() // readers of the end may ask for them at once
	}
	close(x.done)
	x.cancel(nil)
	x.cfg.Report(end)
	if x.needsTidying {
		x.tidyFolder(end.Outcome == actor.Finished)
	}
}

// linkLogs makes logs be found by the attempt's id.
func (x *execution) linkLogs() {
	if err := x.folder.LinkLogs(); err != nil {
		x.cfg.Logger.Warn("an attempt's logs are not found by its id", "attempt", x.Attempt, "error", err)
	}
}

// tidyFolder tidies up the attempt's folder. Its output stays if it was committed.
func (x *execution) tidyFolder(committed bool) {
	x.releaseFolders()
	if err := x.folder.Clear(committed); err != nil {
		x.cfg.Logger.Warn("an attempt's folder is not tidied up", "attempt", x.Attempt, "error", err)
	}
}

// releaseFolders leaves the folders of an attempt that has ended to the next reader. It does not if the
// task could have put anything into them.
func (x *execution) releaseFolders() {
	if len(x.trees) == 0 || !x.cfg.shielded(x.slot) {
		return
	}
	for _, t := range x.trees {
		x.folder.Inputs().Release(t)
	}
}
