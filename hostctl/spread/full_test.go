package spread

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestNoteOnFullDisk opens notes on a disk without space: a mapped file without blocks would end the process by
// SIGBUS at its first access.
func TestNoteOnFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("lull-test", dir, "tmpfs", unix.MS_NOSUID, "size=64k"); err != nil {
		t.Skip("needs the right to mount:", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	early, hole, none := filepath.Join(dir, "early"), filepath.Join(dir, "hole"), filepath.Join(dir, "none")
	before, err := openNote(early)
	if err != nil {
		t.Fatal(err)
	}
	defer before.close() //nolint:errcheck // a test
	if err := errors.Join(os.WriteFile(hole, nil, 0o600), os.Truncate(hole, int64(pageSize))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "fill"), make([]byte, 128<<10), 0o600); !errors.Is(err, unix.ENOSPC) {
		t.Fatalf("filling the disk: %v, want %v", err, unix.ENOSPC)
	}
	before.end() // has its space
	again, err := openNote(early)
	if err != nil {
		t.Fatalf("a note that has its space: %v", err)
	}
	defer again.close() //nolint:errcheck // a test
	for _, path := range []string{hole, none} {
		if _, err := openNote(path); !errors.Is(err, unix.ENOSPC) {
			t.Errorf("openNote(%s) = %v, want %v", filepath.Base(path), err, unix.ENOSPC)
		}
		if _, err := OpenTally(path); !errors.Is(err, unix.ENOSPC) {
			t.Errorf("OpenTally(%s) = %v, want %v", filepath.Base(path), err, unix.ENOSPC)
		}
	}
	for _, path := range []string{hole, none} { // the note holds no move
		if thread, err := Restore(path); thread != 0 || err != nil {
			t.Errorf("Restore(%s) = %d, %v, want nothing to restore", filepath.Base(path), thread, err)
		}
	}
}
