package attempts

import (
	"maps"
	"slices"

	"lull/hostctl/actor"
	"lull/hostctl/disk"
	"lull/hostctl/pacing"
	"lull/hostctl/slots"
	"lull/hostctl/speeds"
	"lull/hostctl/store"
)

// What other parts of the host ask about its attempts.

// Count returns the number of attempts that have a process, those included that the log has not
// named yet.
func (a *Runner) Count() (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range a.mu.runs {
		if r.hasProcess() {
			n++
		}
	}
	for _, f := range a.mu.found {
		if f.running != nil && !f.evicted {
			n++
		}
	}
	return n
}

// withProcess returns the attempts that have a process and that the log has named.
func (a *Runner) withProcess() (runs []*run) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range a.mu.runs {
		if r.hasProcess() {
			runs = append(runs, r)
		}
	}
	return runs
}

// Meters returns the meters of attempts that have a process.
func (a *Runner) Meters() (meters []*speeds.Meter) {
	for _, r := range a.withProcess() {
		meters = append(meters, r.meter)
	}
	return meters
}

// OnDisk describes attempts that have a process to the disk's monitor.
func (a *Runner) OnDisk() (on []disk.Attempt) {
	for _, r := range a.withProcess() {
		f := r.folder
		on = append(on, disk.Attempt{ID: r.Attempt, Folders: []string{f.Out(), f.Work(), f.Checkpoint()}, Pids: r.slot.Group.Pids})
	}
	return on
}

// Held returns what the shims hold, in the order of ids.
func (a *Runner) Held() []actor.Held {
	a.mu.Lock()
	defer a.mu.Unlock()
	at := map[uint64]*slots.Slot{}
	for id, f := range a.mu.found {
		at[id] = f.slot
	}
	for id, r := range a.mu.runs {
		at[id] = r.slot
	}
	held := make([]actor.Held, 0, len(at))
	for _, id := range slices.Sorted(maps.Keys(at)) {
		held = append(held, actor.Held{Attempt: id, Slot: uint32(at[id].N)})
	}
	return held
}

// Empty reports whether there is no attempt, neither running nor ended, that the log does not know
// to be over.
func (a *Runner) Empty() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.mu.runs)+len(a.mu.found) == 0
}

// Busy reports whether the host has an attempt of a job that the log does not know to be over.
func (a *Runner) Busy(job string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range a.mu.runs {
		if r.Job == job {
			return true
		}
	}
	return false
}

// Running returns the folder of an attempt in the runner's hands, and a channel that is closed
// when the attempt has ended. It makes the Runner a part of a fileserver.Live.
func (a *Runner) Running(attempt uint64) (store.Folder, <-chan struct{}, bool) {
	if r := a.run(attempt); r != nil {
		return r.folder, r.done, true
	}
	return store.Folder{}, nil, false
}

// PacedTask describes an attempt to the pacer, nil if the host does not have it.
func (a *Runner) PacedTask(p actor.Pace) *pacing.Task {
	r := a.run(p.Attempt)
	if r == nil || r.slot == nil {
		return nil
	}
	return &pacing.Task{
		ID: p.Attempt, Slot: r.slot.N, Most: max(float64(p.Width), 1), Kind: r.kind,
		Live:      func() bool { return r.hasProcess() && !r.slot.HeldBut(slots.ByPace) },
		Meter:     pacing.MeterOf(r.slot, a.cfg.Root, p.Attempt, r.meter.Progress()),
		Reference: p.Rate, Priority: p.Priority,
	}
}

// Kind returns the task of an attempt and the name of its kind, "" if its job's document is not
// known; false if the host does not have the attempt.
func (a *Runner) Kind(attempt uint64) (t actor.Task, model string, ok bool) {
	r := a.run(attempt)
	if r == nil {
		return t, "", false
	}
	return r.Task, r.model(), true
}
