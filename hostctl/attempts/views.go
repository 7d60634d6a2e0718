package attempts

import (
	"slices"

	"lull/hostctl/actor"
	"lull/hostctl/disk"
	"lull/hostctl/speeds"
	"lull/hostctl/store"
)

// What other parts of the host ask about its attempts.

// Count returns the number of attempts that have a process, those included that the log has not
// named yet.
func (a *Runner) Count() int { return a.table.count() }

// Meters returns the meters of attempts that have a process.
func (a *Runner) Meters() (meters []*speeds.Meter) {
	for _, r := range a.table.withProcess() {
		meters = append(meters, r.meter)
	}
	return meters
}

// Storing returns how far the commits of a runner's outputs have come that are under way.
func Storing(a *Runner) (commits []speeds.Storing) {
	for _, r := range a.table.runs() {
		if p := r.storing(); p != nil {
			hashed, whole := p.Bytes()
			commits = append(commits, speeds.Storing{Attempt: r.Attempt, Hashed: hashed, Whole: whole})
		}
	}
	return commits
}

// OnDisk describes attempts that have a process to the disk's monitor.
func (a *Runner) OnDisk() (on []disk.Attempt) {
	for _, r := range a.table.withProcess() {
		on = append(on, r.onDisk())
	}
	return on
}

// onDisk describes the attempt, which has a slot, to the disk's monitor.
func (r *run) onDisk() disk.Attempt {
	f := r.folder
	return disk.Attempt{ID: r.Attempt, Folders: []string{f.Out(), f.Work(), f.Checkpoint(), f.Stdout(), f.Stderr()}, Pids: r.slot.Group.Pids}
}

// Held returns what the shims hold, in the order of ids.
func (a *Runner) Held() []actor.Held { return a.table.held() }

// Empty reports whether there is no attempt, neither running nor ended, that the log does not know
// to be over.
func (a *Runner) Empty() bool { return a.table.empty() }

// Busy reports whether the host has an attempt of a job that the log does not know to be over.
func (a *Runner) Busy(job string) bool {
	return slices.ContainsFunc(a.table.runs(), func(r *run) bool { return r.Job == job })
}

// Running returns the folder of an attempt in the runner's hands, and a channel that is closed
// when the attempt has ended. It makes the Runner a part of a fileserver.Live.
func (a *Runner) Running(attempt uint64) (store.Folder, <-chan struct{}, bool) {
	if r := a.table.run(attempt); r != nil {
		return r.folder, r.done, true
	}
	return store.Folder{}, nil, false
}
