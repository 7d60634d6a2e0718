package attempts

import (
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/store"
)

// savedAfter is how many seconds after a start, in Unix nanoseconds, a task last wrote to its
// checkpoint folder; 0 if it did not. What an earlier attempt left there is older than the start.
func savedAfter(f store.Folder, start int64) float64 {
	at := f.Saved()
	if at.IsZero() {
		return 0
	}
	return max(time.Duration(at.UnixNano()-start).Seconds(), 0)
}

// Checkpoints watches the checkpoint folders of a runner's attempts.
type Checkpoints struct{ Of *Runner }

// Report reports which of the attempts that have a process wrote to their checkpoint folders
// since the last call.
func (c Checkpoints) Report() {
	for _, r := range c.Of.table.withProcess() {
		if r.noteSaved(r.folder.Saved()) {
			c.Of.cfg.Report(actor.Saved{Attempt: r.Attempt})
		}
	}
}

// noteSaved notes when the checkpoint folder last changed, and reports whether that is news: a
// change after the start of the process.
func (r *run) noteSaved(at time.Time) (news bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.mu.running == nil || !at.After(r.mu.saved) || at.UnixNano() <= r.mu.running.At {
		return false
	}
	r.mu.saved = at
	return true
}
