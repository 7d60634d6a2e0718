package hostctl

import (
	"context"
	"fmt"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/guard"
	"lull/subjects"
)

// How often free space is looked at: always, and while somebody fills the disk.
const (
	diskEvery = time.Second
	diskOften = 200 * time.Millisecond
)

// watchDisk stops starting tasks while the disk is full, and ends the task that fills
// it before it is.
func (a *Agent) watchDisk(ctx context.Context) {
	var fill guard.Fill
	timer := time.NewTimer(0)
	defer timer.Stop()
	for full := false; ; {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		var near bool
		full, near = a.lookAtDisk(&fill, full)
		timer.Reset(map[bool]time.Duration{false: diskEvery, true: diskOften}[near])
	}
}

// lookAtDisk looks once: whether the disk is full, and whether the next look is to come
// soon. If nothing can be seen, all stays as it was.
func (a *Agent) lookAtDisk(fill *guard.Fill, was bool) (full, near bool) {
	free, total, err := a.store.Space()
	if err != nil {
		a.cfg.Logger.Warn("the free space of the disk is not known", "error", err)
		return was, false
	}
	reserve := a.diskReserve(total)
	if full = isFull(free, reserve, was); full != was {
		a.fillUp(full, fmt.Sprintf("%d MB free, %d MB needed", free>>20, reserve>>20))
	}
	now := time.Now()
	if near = fill.Look(now, free, reserve); near {
		a.judgeDisk(now, fill, reserve)
	}
	return full, near
}

// diskReserve is the free space in bytes that is kept on a disk of so many.
func (a *Agent) diskReserve(total int64) int64 {
	if a.cfg.MinFree == 0 {
		return max(64<<20, total/100)
	}
	return a.cfg.MinFree
}

// isFull compares free space with the reserve; once full, a quarter more must
// be free before it counts as room.
func isFull(free, reserve int64, was bool) bool {
	if was {
		reserve += reserve / 4
	}
	return free < reserve
}

// fillUp tells that the disk has become full, or has room again.
func (a *Agent) fillUp(full bool, space string) {
	a.mu.Lock()
	a.mu.full = full
	a.mu.Unlock()
	a.report(actor.Disk{Full: full})
	if full {
		a.cfg.Logger.Error("the disk is full: nothing starts until there is room", "space", space, "folder", a.store.Root())
	} else {
		a.cfg.Logger.Info("the disk has room again", "space", space)
	}
}

// full reports whether the disk is.
func (a *Agent) full() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.mu.full
}

// judgeDisk asks for the end of who fills the disk.
func (a *Agent) judgeDisk(now time.Time, fill *guard.Fill, reserve int64) {
	var held []guard.Held
	for _, r := range a.running(nil) {
		held = append(held, guard.Held{Attempt: r.Attempt, Bytes: a.holds(r)})
	}
	c, ok := fill.Judge(now, reserve, held)
	if !ok {
		return
	}
	a.cfg.Logger.Warn("a task fills the disk and is evicted", "attempt", c.Attempt, "because", c.Why)
	a.report(actor.Relieve{Attempt: c.Attempt, Reason: subjects.ReasonDisk, Why: c.Why, AtOnce: true})
}
