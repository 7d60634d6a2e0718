package shim

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Without cgroups only a process number identifies what a killed shim left running. So there, and
// only there, the shim notes each task's process in the slot's folder. It notes the start time too,
// since another process may get the number later.

func notePath(dir string) string { return filepath.Join(dir, "shim.task") }

// note is the descriptor of the note, -1 where cgroups make it needless.
type note int

func openNote(o options) (note, error) {
	if o.unified != "" || o.joins != "" {
		return -1, nil
	}
	fd, err := unix.Open(notePath(o.dir), unix.O_CREAT|unix.O_WRONLY|unix.O_CLOEXEC, 0o600)
	return note(fd), err
}

// write notes a task's process. Nothing is lost if that fails but the chance to
// clear up after our own violent death.
func (n note) write(pid int) {
	if n >= 0 {
		b := fmt.Appendf(nil, "%d %s %d\n", pid, startTime(pid), os.Getpid())
		_, _ = unix.Pwrite(int(n), b, 0)
	}
}

// stat returns the fields of a process's stat file that follow its name, which is in parentheses
// and may contain anything. It returns nil if there is no such process.
func stat(pid int) []string {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	if len(fields) < 20 {
		return nil
	}
	return fields
}

// startTime is when a process started, in clock ticks since boot; "" if it has
// ended, even if it was not waited for yet.
func startTime(pid int) string {
	fields := stat(pid)
	if fields == nil || fields[0] == "Z" {
		return ""
	}
	return fields[19]
}

// killLeftover kills the processes that a dead shim's note identifies: the task's process group,
// and those that left the group but not the session. The kernel gives a session's number to no
// other process while the session has one.
func killLeftover(dir string) {
	b, _ := os.ReadFile(notePath(dir))
	var pid, session int
	var start string
	if n, _ := fmt.Sscan(string(b), &pid, &start, &session); n < 2 || pid <= 1 {
		return
	}
	if startTime(pid) == start {
		_ = unix.Kill(-pid, unix.SIGKILL)
	}
	for deadline := time.Now().Add(time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		left := orphans(session)
		for _, pid := range left {
			_ = unix.Kill(pid, unix.SIGKILL) // gone already: all the better
		}
		if len(left) == 0 && startTime(pid) != start {
			return
		}
	}
}

// orphans returns the processes of a session whose leader has ended.
func orphans(session int) (pids []int) {
	if session <= 1 || startTime(session) != "" {
		return nil
	}
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, path := range all {
		pid, err := strconv.Atoi(filepath.Base(path))
		if f := stat(pid); err == nil && f != nil && f[0] != "Z" && f[3] == strconv.Itoa(session) {
			pids = append(pids, pid)
		}
	}
	return pids
}
