package shim

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Without cgroups nothing but a number tells what a killed shim left running.
// So there, and only there, the shim notes each task's process in the slot's
// folder, with its start time, since the number may be somebody else's later.

func notePath(dir string) string { return filepath.Join(dir, "shim.task") }

// openNote makes the note; s.note stays -1 where cgroups make it needless.
func (s *server) openNote() (err error) {
	if s.unified >= 0 || len(s.joined()) > 0 {
		return nil
	}
	s.note, err = unix.Open(notePath(s.dir), unix.O_CREAT|unix.O_WRONLY|unix.O_CLOEXEC, 0o600)
	return err
}

// writeNote notes a task's process. Nothing is lost if that fails but the chance to
// clear up after our own violent death.
func (s *server) writeNote(pid int) {
	if s.note >= 0 {
		b := fmt.Appendf(nil, "%d %s\n", pid, startTime(pid))
		_, _ = unix.Pwrite(s.note, b, 0)
	}
}

// startTime is when a process started, in clock ticks since boot; "" if it has
// ended, even if nobody has waited for it yet.
func startTime(pid int) string {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	// The name, in parentheses, may hold anything; the 20th field behind it is ours.
	fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" {
		return ""
	}
	return fields[19]
}

// killLeftover kills the process group that a dead shim's note names.
func killLeftover(dir string) {
	b, _ := os.ReadFile(notePath(dir))
	var pid int
	var start string
	if n, _ := fmt.Sscan(string(b), &pid, &start); n != 2 || pid <= 1 || startTime(pid) != start {
		return
	}
	_ = unix.Kill(-pid, unix.SIGKILL)
	for deadline := time.Now().Add(time.Second); startTime(pid) == start && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
}
