package volume

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestCheckNamesWhatIsWrongWithAVolume(t *testing.T) {
	begin := Need{DefaultFloor, BeginFiles}
	for _, c := range []struct {
		name, options string
		flags         uintptr
		need          Need
		says          string // "" for nothing
	}{
		{"room", "size=100m", 0, begin, ""},
		{"small", "size=50m", 0, begin, "only 50 MB of its disk are free, and lull needs 64 MB: free some space"},
		{"small but used", "size=50m", 0, Continue, ""},
		{"full", "size=4k", 0, Continue, "only 0 MB of its disk are free, and lull needs 1 MB"},
		{"inodes", "size=100m,nr_inodes=10", 0, Continue, "room for 9 more files (inodes), and lull needs 16: remove some files"},
		{"read-only", "size=100m", unix.MS_RDONLY, Continue, "its file system is mounted read-only: mount it for writing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := unix.Mount("lull-test", dir, "tmpfs", c.flags, c.options); err != nil {
				t.Skipf("needs the right to mount: %v", err)
			}
			t.Cleanup(func() {
				if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
					t.Error(err)
				}
			})
			data := filepath.Join(dir, "not", "made", "yet")
			err := Check(data, c.need)
			if c.says == "" {
				if err != nil {
					t.Errorf("Check() = %v, want nothing", err)
				}
				return
			}
			if !errors.Is(err, ErrUnusable) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), data) || !strings.Contains(err.Error(), "--data") {
				t.Errorf("Check() = %v, want the folder, %q and another folder as the way out", err, c.says)
			}
		})
	}
}

func TestFreeCountsInodes(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("lull-test", dir, "tmpfs", 0, "size=100m,nr_inodes=101"); err != nil {
		t.Skipf("needs the right to mount: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	for name := 'a'; name < 'a'+26*3; name++ {
		if err := os.WriteFile(filepath.Join(dir, string(name)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if free, err := Free(dir); free < 15<<20 || free > 25<<20 || err != nil {
		t.Errorf("Free() of 100 MB with a fifth of the inodes = %d MB, %v, want about 20", free>>20, err)
	}
}
