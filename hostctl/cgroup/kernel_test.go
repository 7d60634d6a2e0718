package cgroup

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"lull/test/poll"
)

// kernelTree is a tree on the real kernel, without the capabilities that drop
// clears: so one host tests the ways of several.
func kernelTree(t *testing.T, drop func(*Capabilities)) *Tree {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, to make cgroups")
	}
	caps, err := Detect("/")
	mustDo(t, err)
	if drop != nil {
		drop(&caps)
	}
	if !caps.Freeze.OK() {
		t.Skipf("needs a cgroup that can freeze: %v", caps.Notes)
	}
	tree, err := Open(caps, fmt.Sprintf("test-%d-%s", os.Getpid(), filepath.Base(t.Name())))
	mustDo(t, err)
	t.Cleanup(func() { mustDo(t, tree.Remove(briefly(t))) })
	return tree
}

func briefly(t *testing.T) context.Context {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(stop)
	return ctx
}

// v1Only is what this kernel has without its unified tree.
func v1Only(c *Capabilities) {
	mounts, err := readFile(dir("/proc/self"), "mountinfo", parseMounts)
	*c = Capabilities{Root: "/", CPUs: c.CPUs}
	for _, m := range mounts {
		if err == nil && m.version == 1 {
			_ = c.probe(m) // what cannot be used is absent
		}
	}
}

// spawn starts a script in a slot's groups and waits for its first line.
func spawn(t *testing.T, s *Slot, script string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("sh", "-c", "read go; "+script)
	stdin, err := cmd.StdinPipe()
	mustDo(t, err)
	stdout, err := cmd.StdoutPipe()
	mustDo(t, err)
	mustDo(t, cmd.Start())
	t.Cleanup(func() {
		_ = s.Kill(briefly(t))
		_ = cmd.Wait()
	})
	for _, d := range s.Joins() {
		mustDo(t, dir(d).write("cgroup.procs", strconv.Itoa(cmd.Process.Pid)))
	}
	if u := s.Unified(); u != "" {
		mustDo(t, dir(u).write("cgroup.procs", strconv.Itoa(cmd.Process.Pid)))
	}
	_, err = stdin.Write([]byte("go\n"))
	mustDo(t, err)
	_, err = bufio.NewReader(stdout).ReadString('\n')
	mustDo(t, err)
	return cmd
}

// onEach runs a test with all capabilities of this kernel, and with v1's alone.
func onEach(t *testing.T, test func(t *testing.T, tree *Tree, slot *Slot)) {
	for name, drop := range map[string]func(*Capabilities){"all": nil, "v1": v1Only} {
		t.Run(name, func(t *testing.T) {
			tree := kernelTree(t, drop)
			slot, err := tree.Slot(0)
			mustDo(t, err)
			test(t, tree, slot)
		})
	}
}

func TestKillOnKernel(t *testing.T) {
	onEach(t, func(t *testing.T, _ *Tree, slot *Slot) {
		cmd := spawn(t, slot, `(setsid sh -c 'trap "" TERM; while :; do sleep 0.01 & done' &); sleep 1000 & echo; wait`)
		spared := spawn(t, slot, `echo; exec sleep 1000`)
		mustDo(t, slot.Kill(briefly(t), spared.Process.Pid))
		pids, err := slot.Pids()
		if err != nil || len(pids) != 1 || pids[0] != spared.Process.Pid {
			t.Errorf("left: %v, %v; want only the one that was spared, %d", pids, err, spared.Process.Pid)
		}
		if err := cmd.Wait(); cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Errorf("end of the main process = %v, want SIGKILL", err)
		}
		mustDo(t, slot.Kill(briefly(t)))
	})
}

// What was killed gives its memory back before it gets the CPU to die: here it is
// frozen, as if it never did.
func TestReleaseMemoryOnKernel(t *testing.T) {
	tree := kernelTree(t, v1Only)
	slot, err := tree.Slot(0)
	mustDo(t, err)
	spawn(t, slot, `exec 3>&1; { head -c 10M /dev/zero; echo >&3; sleep 1000; } | tail -c 9M`)
	held := func() int64 {
		bytes, err := tree.held()
		mustDo(t, err)
		return bytes
	}
	waitFor(t, "the process to hold memory", func() bool { return held() > 8<<20 })
	ctx := briefly(t)
	mustDo(t, slot.Freeze(ctx))
	pids, err := slot.Pids()
	mustDo(t, err)
	for _, pid := range pids {
		mustDo(t, syscall.Kill(pid, syscall.SIGKILL))
		releaseMemory(pid)
	}
	if bytes := held(); bytes > 4<<20 {
		t.Errorf("bytes of the killed = %d, want at most 4 MiB", bytes)
	}
	if still, err := slot.Pids(); len(still) != len(pids) || err != nil {
		t.Errorf("processes left = %d, %v, want %d", len(still), err, len(pids))
	}
	mustDo(t, slot.Kill(ctx))
}

// A task has its memory whatever the slot's last one left: here a file in memory,
// which the kernel cannot take back.
func TestATaskDoesNotPayForTheLastOne(t *testing.T) {
	onEach(t, func(t *testing.T, _ *Tree, slot *Slot) {
		left := filepath.Join("/dev/shm", fmt.Sprint("lull-left-", os.Getpid()))
		t.Cleanup(func() { _ = os.Remove(left) })
		mustDo(t, slot.Limit(32<<20, 0))
		mustDo(t, spawn(t, slot, `head -c 24M /dev/zero > `+left+`; echo`).Wait())
		mustDo(t, slot.Limit(32<<20+slot.Leftover(32<<20), 0))
		spawn(t, slot, `exec 3>&1; { head -c 20M /dev/zero; echo >&3; } | tail -c 20M > /dev/null`)
		if n, err := slot.OOMKilled(); n != 0 || err != nil {
			t.Errorf("OOMKilled() = %d, %v, want 0", n, err)
		}
	})
}

// A slot that was cleared takes the next task: cgroup.kill would not allow it.
func TestSlotIsUsedAgainAfterKill(t *testing.T) {
	onEach(t, func(t *testing.T, _ *Tree, slot *Slot) {
		if slot.Unified() == "" {
			t.Skip("needs a unified tree to clone into")
		}
		spawn(t, slot, `echo; exec sleep 1000`)
		mustDo(t, slot.Kill(briefly(t)))
		group, err := os.Open(slot.Unified())
		mustDo(t, err)
		defer group.Close() //nolint:errcheck // read only
		cmd := exec.Command("true")
		cmd.SysProcAttr = &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: int(group.Fd())}
		mustDo(t, cmd.Run())
	})
}

func TestFreezeOnKernel(t *testing.T) {
	onEach(t, func(t *testing.T, _ *Tree, slot *Slot) {
		cmd := spawn(t, slot, `echo; while :; do :; done`)
		ctx := briefly(t)
		mustDo(t, slot.Freeze(ctx))
		before := ticks(t, cmd.Process.Pid)
		mustDo(t, slot.Freeze(ctx)) // again: nothing changes
		if after := ticks(t, cmd.Process.Pid); after != before {
			t.Errorf("ticks of a frozen process = %s, want %s as before", after, before)
		}
		mustDo(t, slot.Thaw(ctx))
		waitFor(t, "the process to go on", func() bool { return ticks(t, cmd.Process.Pid) != before })
		mustDo(t, slot.Freeze(ctx))
		mustDo(t, slot.Kill(ctx))
	})
}

// ticks is the user and system time of a process, as its stat file has it.
func ticks(t *testing.T, pid int) string {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	mustDo(t, err)
	fields := strings.Fields(string(b))
	return fields[13] + "+" + fields[14]
}

// waitFor waits for what has no event.
func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	if !poll.Until(time.Minute, time.Millisecond, done) {
		t.Fatalf("time is over, want %s", what)
	}
}

func TestUsageOnKernel(t *testing.T) {
	onEach(t, func(t *testing.T, tree *Tree, slot *Slot) {
		spawn(t, slot, `echo; while :; do :; done`)
		waitFor(t, "CPU time to be counted", func() bool {
			mine, _, err := slot.Usage()
			mustDo(t, err)
			all, memory, err := tree.Usage()
			mustDo(t, err)
			return mine > 0.02 && all >= mine && memory > 0
		})
		mustDo(t, slot.Kill(briefly(t)))
	})
}

func TestOpenAdoptsAndRemoveClears(t *testing.T) {
	onEach(t, func(t *testing.T, tree *Tree, slot *Slot) {
		cmd := spawn(t, slot, `echo; exec sleep 1000`)
		again, err := Open(tree.caps, tree.name)
		mustDo(t, err)
		adopted, err := again.Slot(0)
		mustDo(t, err)
		if pids, err := adopted.Pids(); len(pids) != 1 || pids[0] != cmd.Process.Pid {
			t.Errorf("adopted %v, %v; want %d", pids, err, cmd.Process.Pid)
		}
		late, stop := context.WithTimeout(t.Context(), time.Millisecond)
		defer stop()
		if err := tree.Remove(late); err == nil || !strings.Contains(err.Error(), "something still runs") || strings.Contains(err.Error(), "\n") {
			t.Errorf("Remove(groups in use) = %v, want one line that says so", err)
		}
		mustDo(t, adopted.Kill(briefly(t)))
		mustDo(t, tree.Remove(briefly(t)))
		if left := tree.Slots(); len(left) > 0 {
			t.Errorf("slots left = %v, want none", left)
		}
	})
}

func TestDetectLeavesNothing(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root, to make cgroups")
	}
	before, _ := filepath.Glob("/sys/fs/cgroup/*/lull")
	caps, err := Detect("/")
	mustDo(t, err)
	t.Logf("\n%s", caps)
	after, _ := filepath.Glob("/sys/fs/cgroup/*/lull")
	for _, group := range after {
		if others, _ := filepath.Glob(group + "/*-*"); !slices.Contains(before, group) && len(others) == 0 {
			t.Errorf("group %s is left, want it removed, since nothing uses it", group)
		}
	}
}
