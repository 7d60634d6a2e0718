package spread

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// Restore undoes the move that a process was killed in, if the note at path has one. It returns the
// thread that it restored. It leaves alone a thread that has ended, another thread of the same
// number, and a mask that was changed since.
func Restore(path string) (thread int, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	n, err := openNote(path)
	if errors.Is(err, unix.ENOSPC) {
		return 0, nil // a note without blocks on the disk was never written
	}
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, n.close()) }()
	boot, err := bootID()
	if err != nil || n.thread == 0 || string(bytes.TrimRight(n.boot[:], "\x00")) != boot {
		return 0, err
	}
	if thread, err = n.undo(); err != nil {
		return 0, fmt.Errorf("thread %d still runs on CPU %d only, where an agent that was killed sent it: %w", n.thread, n.to, err)
	}
	n.end()
	return thread, nil
}

// undo gives the thread its mask back if it has the one that was left.
func (n *note) undo() (thread int, err error) {
	var mask, left unix.CPUSet
	thread = int(n.thread)
	left.Set(int(n.to))
	begun, err := startTime(thread)
	if err == nil {
		err = unix.SchedGetaffinity(thread, &mask)
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH) {
		return 0, nil
	}
	if err != nil || mask != left || begun > n.since {
		return 0, err
	}
	return thread, unix.SchedSetaffinity(thread, &n.mask)
}

// bootID is the identity of the present boot: threads of another one are gone.
func bootID() (string, error) {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", fmt.Errorf("identity of this boot: %w", err)
	}
	return string(bytes.TrimSpace(id)), nil
}

// tick is the unit of start times, see proc(5): 100 a second on all that Go
// runs on.
const tick = 1e7

// startTime is when a thread began, in nanoseconds of the boot clock, rounded
// down to a tick.
func startTime(thread int) (int64, error) {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(thread), "stat"))
	if err != nil {
		return 0, err
	}
	fields, err := statFields(stat)
	if err != nil {
		return 0, err
	}
	ticks, err := strconv.ParseInt(string(fields[startField-stateField]), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("start of thread %d: %w", thread, err)
	}
	return ticks * tick, nil
}
