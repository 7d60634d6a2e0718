package hostctl

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"lull/subjects"
	"lull/subjects/spec"
)

// smallDisk is a folder with room for 192 MB.
func smallDisk(t *testing.T) string {
	t.Helper()
	at := open(t)
	if err := unix.Mount("lull-test", at, "tmpfs", unix.MS_NOSUID, "size=192m,mode=711"); err != nil {
		t.Skipf("needs the right to mount: %v", err)
	}
	t.Cleanup(func() { check(t, unix.Unmount(at, unix.MNT_DETACH)) })
	return at
}

// The attempt that fills the disk is ended, not the youngest one, and that counts as its failure. That holds whether its files are visible or deleted.
func TestTheTaskThatFillsTheDiskFails(t *testing.T) {
	for name, script := range map[string]string{
		"files":   `i=0; while :; do i=$((i+1)); head -c 1M /dev/zero > $LULL_OUT/$i; sleep 0.05; done`,
		"deleted": `exec 3> $LULL_OUT/x; rm $LULL_OUT/x; while :; do head -c 1M /dev/zero >&3; sleep 0.05; done`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			cfg := w.config("alpha")
			disk := smallDisk(t)
			cfg.Data, cfg.MinFree = filepath.Join(disk, "d"), 64<<20
			h := w.host(cfg)
			gate := filepath.Join(disk, "go")
			w.Submit("job", spec.Stage{Argv: sh(script)})
			w.Submit("other", spec.Stage{Argv: sh(`head -c 1M /dev/zero > $LULL_OUT/x; until [ -e ` + gate + ` ]; do sleep 0.05; done`)})
			filler := h.assign("job", 0, 0, 0)
			next[*subjects.Started](w, nil)
			h.assign("other", 0, 0, 1)
			e, _ := next[*subjects.Failed](w, nil)
			if e.Attempt != filler || e.Reason != subjects.ReasonDisk {
				t.Errorf("Failed = %+v, want attempt %d for the disk", e, filler)
			}
			// It ends three seconds before the reserve is touched, having written at most 20 MB a second.
			_, wrote, _ := strings.Cut(e.Text, "it had written ")
			var written int
			if _, err := fmt.Sscanf(wrote, "%d MB", &written); err != nil || written < 192/4 || !strings.Contains(e.Text, disk) {
				t.Errorf("%q (%v), want how much it wrote to %s", e.Text, err, disk)
			}
			write(t, gate, "")
			next[*subjects.Finished](w, nil)
		})
	}
}
