package hostctl

import (
	"fmt"
	"os"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"lull/subjects"
	"lull/subjects/spec"
)

// A disk that fills up while an output is committed is not the task's fault.
func TestNoRoomForAnOutputIsNoFailure(t *testing.T) { evictedForTheDisk(t, 0) }

// Nor is a command's failure on a full disk: most commands fail there.
func TestAFailureOnAFullDiskIsNoFailure(t *testing.T) { evictedForTheDisk(t, 3) }

// evictedForTheDisk runs a task that fills the disk and exits with a status.
func evictedForTheDisk(t *testing.T, status int) {
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
	w.Submit("job", spec.Stage{Argv: sh(fmt.Sprintf("head -c 9000000 /dev/zero > $LULL_OUT/zeros; exit %d", status))})
	h.assign("job", 0, 0, 0)
	if e, _ := next[*subjects.Evicted](w, nil); e.Reason != subjects.ReasonDisk {
		t.Errorf("%+v, want it evicted for the disk", e)
	}
	eventually(t, "there is room again", func() bool {
		var disk unix.Statfs_t
		return unix.Statfs(small, &disk) == nil && disk.Bavail*uint64(disk.Bsize) > 1<<20
	})
	w.Submit("next", spec.Stage{Argv: sh("echo small > $LULL_OUT/f")})
	h.assign("next", 0, 0, 0)
	next[*subjects.Finished](w, nil)
}
