package hostctl

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lull/subjects"
	"lull/subjects/spec"
)

// A task that fills the disk by its own writes fails, and its retries bound how often it runs. Before,
// it was evicted and run again for ever.
func TestATaskThatFillsTheDiskFails(t *testing.T) {
	w, h, small := onSmallDisk(t)
	for status, job := range []string{"commits", "exits"} {
		w.Submit(job, spec.Stage{Argv: sh(fmt.Sprintf("head -c 9000000 /dev/zero > $LULL_OUT/zeros; exit %d", status))})
		ended := h.runOnceThereIsRoom(job)
		if e, failed := ended.(*subjects.Failed); !failed || e.Reason != subjects.ReasonDisk || !strings.Contains(e.Text, small) {
			t.Errorf("%s: %+v, want it failed for the disk of %s", job, ended, small)
		}
		hasRoom(t, small)
	}
	w.Submit("next", spec.Stage{Argv: sh("echo small > $LULL_OUT/f")})
	ended := h.runOnceThereIsRoom("next")
	if _, finished := ended.(*subjects.Finished); !finished {
		t.Errorf("end = %+v, want Finished", ended)
	}
}

// runOnceThereIsRoom runs a job's task and returns its last event. While the host has not noticed that
// its disk has room, it declines the task, which is then assigned again, as by a slotter.
func (h *host) runOnceThereIsRoom(job string) subjects.Event {
	h.w.T.Helper()
	for {
		eventually(h.w.T, "the host notices that there is room", func() bool { return !h.disk.Full() })
		h.assign(job, 0, 0, 0)
		e, _ := next(h.w, func(e subjects.Event) bool {
			switch e.(type) {
			case *subjects.Declined, *subjects.Failed, *subjects.Finished:
				return true
			}
			return false
		})
		if d, declined := e.(*subjects.Declined); !declined || d.Reason != subjects.ReasonDisk {
			return e
		}
	}
}

// A disk that others filled is not the fault of a task whose command fails: most commands fail there.
func TestAFullDiskIsNoFailureOfATaskThatWroteLittle(t *testing.T) {
	w, h, small := onSmallDisk(t)
	gate := filepath.Join(t.TempDir(), "go")
	w.Submit("job", spec.Stage{Argv: sh("until [ -e " + gate + " ]; do sleep 0.05; done; exit 3")})
	h.assign("job", 0, 0, 0)
	next[*subjects.Started](w, nil)
	if err := os.WriteFile(filepath.Join(small, "foreign"), make([]byte, 9_000_000), 0o600); !errors.Is(err, unix.ENOSPC) {
		t.Fatalf("writing 9 MB = %v, want no space", err)
	}
	write(t, gate, "")
	if e, _ := next[*subjects.Evicted](w, nil); e.Reason != subjects.ReasonDisk {
		t.Errorf("Evicted = %+v, want it for the disk", e)
	}
}

// onSmallDisk returns a host with a data folder on a disk of 2 MB.
func onSmallDisk(t *testing.T) (*world, *host, string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, to mount a small disk")
	}
	small := t.TempDir()
	if err := syscall.Mount("lull-test", small, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("needs the right to mount: %v", err)
	}
	w := newWorld(t)
	cfg := w.config("alpha")
	cfg.Data = small
	h := w.host(cfg)
	t.Cleanup(func() {
		_ = h.stop()
		if err := syscall.Unmount(small, 0); err != nil {
			t.Error(err)
		}
	})
	return w, h, small
}

func hasRoom(t *testing.T, small string) {
	t.Helper()
	eventually(t, "there is room again", func() bool {
		var disk unix.Statfs_t
		return unix.Statfs(small, &disk) == nil && disk.Bavail*uint64(disk.Bsize) > 1<<20
	})
}

// Results whose folder has no room wait until there is some, or until the job's deadline is over. A job's
// hours of work do not fail for that.
func TestResultsWaitForRoom(t *testing.T) {
	output := filepath.Join(open(t), "output")
	check(t, os.Mkdir(output, 0o711))
	if err := syscall.Mount("lull-test", output, "tmpfs", 0, "size=2m,mode=777"); err != nil {
		t.Skipf("needs the right to mount: %v", err)
	}
	t.Cleanup(func() { check(t, syscall.Unmount(output, 0)) })
	w := newWorld(t)
	w.Outputs = w.answer
	cfg := w.config("alpha")
	cfg.Data = filepath.Join(open(t), "d")
	h := w.host(cfg)
	filler := filepath.Join(output, "filler")
	publish := func(job string, deadline time.Time) {
		w.SubmitUntil(job, output, deadline.UnixNano(), spec.Stage{Name: "make", Argv: sh(`head -c 800000 /dev/zero > $LULL_OUT/zeros`)},
			spec.Stage{Name: "publish", Publish: true, From: []spec.From{{Stage: 0}}})
		h.assign(job, 0, 0, 0)
		next[*subjects.Finished](w, nil)
		_ = os.WriteFile(filler, make([]byte, 1_800_000), 0o600) // as far as it goes
		h.assign(job, 1, 0, 0)
	}
	publish("waits", time.Now().Add(time.Hour))
	e, _ := next[*subjects.Declined](w, nil)
	for _, want := range []string{"no room in " + output, "goes on within a minute", "lull outputs waits --to"} {
		if e.Reason != subjects.ReasonNoRoom || !strings.Contains(e.Text, want) {
			t.Errorf("reason %s: %q, want it to say %q", e.Reason, e.Text, want)
		}
	}
	check(t, os.Remove(filler))
	h.assign("waits", 1, 0, 0)
	next[*subjects.Finished](w, nil)
	publish("late", time.Now().Add(-time.Hour))
	if e, _ := next[*subjects.Failed](w, nil); e.Reason != subjects.ReasonOutput || !strings.Contains(e.Text, "lull retry late") {
		t.Errorf("after the deadline: %+v, want it failed, and told how to go on", e)
	}
}
