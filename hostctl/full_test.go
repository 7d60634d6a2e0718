package hostctl

import (
	"os"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"lull/subjects"
	"lull/subjects/spec"
)

// A disk that fills up while an output is committed is not the task's fault.
func TestNoRoomForAnOutputIsNoFailure(t *testing.T) {
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
	w.Submit("job", spec.Stage{Argv: sh("head -c 9000000 /dev/zero > $LULL_OUT/zeros; exit 0")})
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
