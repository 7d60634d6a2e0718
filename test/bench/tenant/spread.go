package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// spreader balances the threads of some processes over the cores. If two of them want to run on one core,
// it moves one to a core where none of them does. The kernel does that by itself only if that core is idle,
// not if batch work keeps it busy.
type spreader struct {
	pids    []string
	threads []thread
	stat    [512]byte
}

type thread struct {
	id int
	fd int // descriptor of its stat file
}

// spread checks the threads of processes each period, until its standard input ends.
func spread(args []string) error {
	if len(args) < 2 {
		return errors.New("use: tenant spread PERIOD PID …")
	}
	period, err := time.ParseDuration(args[0])
	if err != nil || period < 100*time.Microsecond {
		return fmt.Errorf("period %q: use at least 100µs", args[0])
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	runtime.LockOSThread()
	urgent := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 1}
	if err := unix.SchedSetAttr(0, &urgent, 0); err != nil {
		return fmt.Errorf("take the real-time class: %w", err)
	}
	s := &spreader{pids: args[1:]}
	return s.look(period)
}

// look balances the threads each period. Once a second it lists them anew.
func (s *spreader) look(period time.Duration) error {
	scanned := time.Duration(0)
	for next := clock(unix.CLOCK_MONOTONIC); ; next += period {
		if next-scanned >= time.Second {
			if err := s.scan(); errors.Is(err, fs.ErrNotExist) {
				return nil // the processes ended
			} else if err != nil {
				return err
			}
			scanned = next
		}
		at := unix.NsecToTimespec(int64(next))
		_ = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &at, nil) // a signal only ends it early
		if err := s.even(); err != nil {
			return err
		}
	}
}

// scan opens the threads' stat files.
func (s *spreader) scan() error {
	for _, t := range s.threads {
		_ = unix.Close(t.fd) // it was only read
	}
	s.threads = s.threads[:0]
	for _, pid := range s.pids {
		entries, err := os.ReadDir(filepath.Join("/proc", pid, "task"))
		if err != nil {
			return err
		}
		for _, e := range entries {
			id, err := strconv.Atoi(e.Name())
			if err != nil {
				return err
			}
			if fd, err := unix.Open(filepath.Join("/proc", pid, "task", e.Name(), "stat"), unix.O_RDONLY|unix.O_CLOEXEC, 0); err == nil {
				s.threads = append(s.threads, thread{id, fd}) // otherwise it ended just now
			}
		}
	}
	return nil
}

// even moves one thread, if two or more of the threads want to run on one core and none on another.
func (s *spreader) even() error {
	queued, last := make([]int, runtime.NumCPU()), make([]int, runtime.NumCPU())
	for _, t := range s.threads {
		n, err := unix.Pread(t.fd, s.stat[:], 0)
		if err != nil {
			continue // it ended
		}
		if core, ok := parseWaiting(s.stat[:n]); ok && core < len(queued) {
			queued[core]++
			last[core] = t.id
		}
	}
	for from := range queued {
		for to := range queued {
			if queued[from] >= 2 && queued[to] == 0 {
				return move(last[from], to)
			}
		}
	}
	return nil
}

// parseWaiting reads a thread's stat line. If the thread runs or is runnable, it returns the thread's core;
// else ok is false.
func parseWaiting(stat []byte) (core int, ok bool) {
	name := bytes.LastIndexByte(stat, ')') // the last one, because the command's name may contain brackets
	if fields := bytes.Fields(stat[name+1:]); len(fields) > 36 && fields[0][0] == 'R' {
		core, err := strconv.Atoi(string(fields[36])) // field 39 of proc(5), "processor"
		return core, err == nil && core >= 0
	}
	return 0, false
}

// move moves a thread to a core, and then restores the set of cores on which it may run. It does nothing if
// the thread has ended or may not run on that core.
func move(id, core int) error {
	var before, only unix.CPUSet
	only.Set(core)
	err := unix.SchedGetaffinity(id, &before)
	if err == nil && before.IsSet(core) {
		err = unix.SchedSetaffinity(id, &only)
		if err == nil {
			err = unix.SchedSetaffinity(id, &before)
		}
	}
	if err != nil && !errors.Is(err, unix.ESRCH) {
		return fmt.Errorf("move thread %d to core %d: %w", id, core, err)
	}
	return nil
}
