package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"lull/test/steal"
)

// expense is what was used between two looks: CPU in cores, memory in bytes.
type expense struct {
	agent, shims, primary, others float64 // the agent with what moves the primary's threads
	stolen                        float64 // share of the machine
	resident, each                float64 // of the agent, of a shim: there with its part of what is shared
	count                         int     // shims
}

// account is everything that is counted, at one moment, in CPU seconds.
type account struct {
	at                                 time.Time
	agent, shims, primary, tasks, busy float64
	ticks                              steal.Ticks
	pids                               []int // of the shims
}

// expense measures for some seconds, after the time that it takes until all
// has settled.
func (h *house) expense(ctx context.Context, seconds float64) (e expense, err error) {
	span := time.Duration(seconds * float64(time.Second))
	if err := wait(ctx, min(span/4, 3*time.Second)); err != nil {
		return e, err
	}
	before, err := h.account()
	if err != nil {
		return e, err
	}
	if err := wait(ctx, span); err != nil {
		return e, err
	}
	after, err := h.account()
	if err != nil {
		return e, err
	}
	return h.since(before, after)
}

func (h *house) since(before, after account) (e expense, err error) {
	wall := after.at.Sub(before.at).Seconds()
	e.agent, e.shims = (after.agent-before.agent)/wall, (after.shims-before.shims)/wall
	e.primary = (after.primary - before.primary) / wall
	e.others = max((after.busy-before.busy-after.tasks+before.tasks)/wall-e.agent-e.primary, 0)
	e.stolen, e.count = after.ticks.Since(before.ticks), len(after.pids)
	if !slices.Equal(before.pids, after.pids) {
		return e, errors.New("shims came or went while they were measured")
	}
	resident, err := status(h.agent.Process.Pid, "VmRSS:")
	e.resident = float64(resident)
	for _, pid := range after.pids {
		bytes, gone := proportional(pid)
		e.each, err = e.each+float64(bytes)/float64(e.count), errors.Join(err, gone)
	}
	return e, err
}

func (h *house) account() (a account, err error) {
	server, users := h.stage.tenant.server.Process.Pid, h.stage.tenant.users.Process.Pid
	var errs [8]error
	a.at = time.Now()
	spreads, err := asides(h.binary, "spread", h.stage.dir)
	a.agent, errs[0] = spent(append(spreads, h.agent.Process.Pid)...)
	errs[7] = err
	a.primary, errs[1] = spent(server, users)
	a.pids, errs[2] = asides(h.binary, "shim", h.stage.dir)
	a.shims, errs[3] = spent(a.pids...)
	a.tasks, errs[4] = h.stage.groups.lullCPU()
	a.busy, errs[5] = readBusy("/proc/stat")
	a.ticks, errs[6] = steal.Read()
	return a, errors.Join(errs[:]...)
}

// proportional is the memory of a process, of what it shares with others its part:
// a shim's program is that of all shims and of the agent.
func proportional(pid int) (bytes int64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0, err
	}
	_, rest, found := strings.Cut(string(text), "\nPss:")
	fields := strings.Fields(rest)
	if !found || len(fields) == 0 {
		return 0, fmt.Errorf("process %d has no Pss", pid)
	}
	kb, err := strconv.ParseInt(fields[0], 10, 64)
	return kb << 10, err
}

// spent is the CPU seconds of processes, to the nanosecond: of all their
// threads, those that have ended too (clock_getcpuclockid(3)).
func spent(pids ...int) (seconds float64, err error) {
	for _, pid := range pids {
		const scheduler = 2 // CPUCLOCK_SCHED
		var used unix.Timespec
		if err := unix.ClockGettime(int32(^pid<<3|scheduler), &used); err != nil {
			return 0, fmt.Errorf("CPU time of process %d: %w", pid, err)
		}
		seconds += float64(used.Nano()) / 1e9
	}
	return seconds, nil
}

// asides lists the processes of a kind that an agent started: its program under
// another name, shim or spread, with their place below a folder.
func asides(program, kind, folder string) (pids []int, err error) {
	all, err := runners(program)
	for _, pid := range all {
		text, gone := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if words := strings.Split(string(text), "\x00"); gone == nil && len(words) > 1 && words[1] == kind && strings.Contains(string(text), folder) {
			pids = append(pids, pid)
		}
	}
	return pids, err
}

// runners lists those that run a program, by its path.
func runners(program string) (pids []int, err error) {
	paths, err := filepath.Glob("/proc/[0-9]*/exe")
	for _, path := range paths {
		if at, gone := os.Readlink(path); gone != nil || at != program {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err != nil {
			return nil, err
		}
		pids = append(pids, pid)
	}
	slices.Sort(pids)
	return pids, err
}
