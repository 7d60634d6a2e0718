package cgroup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// Kill kills every process of the slot but those in except, and returns when none is left. That
// includes their children and daemons, frozen or not. The slot is thawed afterwards. If ctx ends
// first, the error names the remaining processes.
//
// Kill signals each process (KillAll), although v2 has cgroup.kill for that. A group killed by
// cgroup.kill is poisoned for processes that clone into it (seen with Linux 6.18). The kernel
// compares the group's count of kills with that of the parent's group, takes every new process for
// one that escaped, and kills it at birth. Slots are used again, so they must stay usable.
func (s *Slot) Kill(ctx context.Context, except ...int) error {
	k := killing{s, except}
	var dying Dying
	raiseAt := time.Now().Add(raiseAfter)
	for wait := 100 * time.Microsecond; ; wait = min(2*wait, 20*time.Millisecond) {
		left, err := k.left()
		if err != nil {
			return err
		}
		if len(left) == 0 {
			k.giveCPUToSpared()
			return k.thaw(ctx)
		}
		if err := k.killOnce(ctx); err != nil {
			return fmt.Errorf("kill the processes of %s: %w", s.name, err)
		}
		if wait > giveCPUAfter {
			k.giveCPUToSpared()
			if dying.GiveCPU(left...) {
				wait = giveCPUAfter
			}
		}
		if now := time.Now(); now.After(raiseAt) {
			raiseBriefly(ctx, k.slot.tree)
			raiseAt = now.Add(raiseEvery)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("kill: processes %v of %s do not end: %w", left, s.name, ctx.Err())
		case <-time.After(wait):
		}
	}
}

const (
	// raiseAfter is how long killed processes may take to end before all of lull gets ordinary weight for
	// a moment. They have a reservation by then, unless they may not use all cores: the guard confined
	// them, or they did so themselves (taskset). The kernel refuses one to such threads.
	raiseAfter = time.Second
	// raiseEvery is the time from one such moment to the next, and raisedFor the length of one.
	raiseEvery = 500 * time.Millisecond
	raisedFor  = 50 * time.Millisecond
)

// raiseBriefly gives all of lull ordinary weight for a moment.
func raiseBriefly(ctx context.Context, t *Tree) {
	if t.Raise(true) == nil {
		select {
		case <-ctx.Done():
		case <-time.After(raisedFor):
		}
	}
	_ = t.Raise(false) // refused only where there is no class, and no weight was changed
}

// killing is one call of Slot.Kill.
type killing struct {
	slot   *Slot
	spared []int
}

// giveCPUAfter is the pause between two looks, which doubles from one to the next, after which
// the dead get CPU. Nearly all have ended by then, 6 ms after the first kill, unless
// a primary wants every core.
const giveCPUAfter = 3 * time.Millisecond

// killOnce kills all that is there now. Processes that fork faster than they are killed are frozen
// first. In v2 the frozen die, and so the group stays frozen until none is left. In v1 they die
// only when they thaw, and the spared are frozen with them.
func (k killing) killOnce(ctx context.Context) error {
	killed, all, err := k.killAll()
	if !all && k.slot.tree.caps.Freeze.OK() {
		// A freezer that does not settle is no reason to wait: what it missed
		// is met in the next round.
		brief, stop := context.WithTimeout(ctx, 50*time.Millisecond)
		_ = k.slot.Freeze(brief)
		stop()
		killed, _, err = k.killAll()
	}
	for _, pid := range killed {
		releaseMemory(pid)
	}
	if err == nil && k.slot.FreezesShim() {
		err = k.thaw(ctx)
	}
	return err
}

// killAll kills all that is there now, and reports whether it got them all.
func (k killing) killAll() (killed []int, all bool, err error) {
	killed, all = KillAll(func() (left []int) {
		left, err = k.left()
		return left
	})
	return killed, all, err
}

// releaseMemory frees the memory of a killed process at the caller's priority. In the idle class,
// beside a primary that wants every core, the process may wait long for the CPU to die by itself,
// and the primary wants the memory now. Kernels before Linux 5.15 leave it to the process.
func releaseMemory(pid int) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return // gone already
	}
	_, _, _ = unix.Syscall(unix.SYS_PROCESS_MRELEASE, uintptr(fd), 0, 0) // refused if it lives, by chance under the same number
	_ = unix.Close(fd)
}

// thaw thaws the slot, if it can be frozen and is still there.
func (k killing) thaw(ctx context.Context) error {
	if !k.slot.tree.caps.Freeze.OK() {
		return nil
	}
	if err := k.slot.Thaw(ctx); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// left lists the slot's processes without the spared.
func (k killing) left() ([]int, error) {
	pids, err := k.slot.Pids()
	return slices.DeleteFunc(pids, func(pid int) bool { return slices.Contains(k.spared, pid) }), err
}
