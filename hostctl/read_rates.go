package hostctl

import (
	"context"
	"slices"
	"time"

	"lull/hostctl/disk"
	"lull/hostctl/pacing"
	"lull/hostctl/reads"
	"lull/subjects"
)

const readsEvery = time.Second

// readRates measures what the tasks that run read, once a second for all of
// them: no task has a goroutine for it, and the heartbeats do not wait for it.
// One that ends within the second is not looked at.
func (a *Agent) readRates(ctx context.Context) {
	tick := time.NewTicker(readsEvery)
	defer tick.Stop()
	var running []*run
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			running = a.running(running[:0])
			for _, r := range running {
				r.measure(a.cfg.Root)
			}
			a.sendSpeeds(running)
		}
	}
}

// running returns the attempts with a process that runs, in the memory of to, which is empty.
func (a *Agent) running(to []*run) []*run {
	a.mu.Lock()
	for _, r := range a.mu.runs {
		if r.slot != nil {
			to = append(to, r)
		}
	}
	a.mu.Unlock() // first: a run's lock comes before the agent's
	return slices.DeleteFunc(to, func(r *run) bool { return !r.processing() })
}

// onDisk describes the attempts with a process that runs, for the disk's monitor.
func (a *Agent) onDisk() (attempts []disk.Attempt) {
	for _, r := range a.running(nil) {
		f := r.folder
		attempts = append(attempts, disk.Attempt{ID: r.Attempt, Folders: []string{f.Out(), f.Work(), f.Checkpoint()}, Pids: r.slot.Group.Pids})
	}
	return attempts
}

// processing reports whether the attempt's process is known to run.
func (r *run) processing() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.mu.running != nil && !r.mu.exited && r.mu.ended == nil
}

func (r *run) beginReads() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mu.reads.Begin(time.Now())
}

// measure looks at the slot's processes but its shim, which may be in the
// group too and reads what it feeds to the task.
func (r *run) measure(root string) {
	client := r.slot.Client()
	if client == nil {
		return
	}
	pids, err := r.slot.Group.Members()
	if err != nil {
		return
	}
	total, ok := reads.Total(root, pids, client.Hello().PID)
	if !ok {
		return // nobody is left, or the host has no cgroups
	}
	now, frozen := time.Now(), r.slot.Frozen()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mu.read = pacing.Reading{At: now, Total: float64(total), From: pacing.ByReads}
	if frozen {
		r.mu.reads.Rest(now, total)
		return
	}
	r.mu.reads.Add(now, total)
}

// weigh says in a run what it read: at least its split, which the task may have
// opened by itself, and per second what was measured, or its mean when it was
// too short for that.
func (r *run) weigh(to *subjects.Run) {
	to.In = max(to.In, r.input)
	r.mu.Lock()
	defer r.mu.Unlock()
	to.Read = r.mu.reads.Percentile90()
	if to.Read == 0 && to.Seconds > 0 {
		to.Read = float64(to.In) / to.Seconds
	}
}
