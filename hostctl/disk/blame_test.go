package disk

import (
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"lull/hostctl/guard"
)

// blaming returns a monitor of a disk of total bytes, and an attempt that holds some of them.
func blaming(t *testing.T, total, holds int64) (*Monitor, Attempt) {
	t.Helper()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "file"), make([]byte, holds), 0o644); err != nil {
		t.Fatal(err)
	}
	m := New(Config{Store: &fakeStore{root: root, total: total}, MinFree: 5 << 20, Proc: "/proc", Report: func(any) {}, Logger: slog.New(slog.DiscardHandler)})
	return m, Attempt{ID: 7, Folders: []string{root}, Pids: func() ([]int, error) { return nil, nil }}
}

// The message names how much it wrote, the folder, and what to do.
func TestATaskThatHoldsAQuarterOfTheDiskFilledIt(t *testing.T) {
	m, a := blaming(t, 40<<20, 10<<20)
	why, own := m.Blame(Task{Job: "job"}, a)
	if !own {
		t.Fatal("Blame(job) = false, want true: the task filled the disk")
	}
	for _, want := range []string{"written 10 MB to " + m.cfg.Store.Root(), "of 40 MB", "5 MB must stay free", "larger disk"} {
		if !strings.Contains(why, want) {
			t.Errorf("%q does not say %q", why, want)
		}
	}
}

// Sixteen tasks that fill a disk together hold a sixteenth each. None of them may go on for ever.
func TestATaskThatEndsForTheDiskAgainAndAgainFilledIt(t *testing.T) {
	m, a := blaming(t, 400<<20, 10<<20)
	for end, want := range []bool{false, false, true, true} {
		if _, own := m.Blame(Task{Job: "job"}, a); own != want {
			t.Errorf("end %d: the task's own fault is %v, want %v", end+1, own, want)
		}
	}
	if _, own := m.Blame(Task{Job: "other"}, a); own {
		t.Error("Blame(other) = true, want false")
	}
}

// A task that wrote next to nothing is never the cause, however often it meets a full disk.
func TestATaskThatWroteLittleDidNotFillTheDisk(t *testing.T) {
	m, a := blaming(t, 1<<20, 1<<10)
	for range 10 {
		if why, own := m.Blame(Task{Job: "job"}, a); own {
			t.Fatal(why)
		}
	}
}

// Deleted files that a task kept open are gone with its processes, so the monitor remembers what it
// evicted the task for.
func TestDeletedFilesOfAnEvictedTaskCount(t *testing.T) {
	m, a := blaming(t, 40<<20, 0)
	m.noteFiller([]guard.Held{{Attempt: 6, Bytes: 1}, {Attempt: 7, Bytes: 30 << 20}}, 7)
	if why, own := m.Blame(Task{Job: "job"}, a); !own || !strings.Contains(why, "30 MB") {
		t.Errorf("Blame(job) = %q, %v, want true and 30 MB", why, own)
	}
	if _, own := m.Blame(Task{Job: "other"}, Attempt{ID: 6, Pids: a.Pids}); own {
		t.Error("Blame(other) = true, want false: the bytes are another attempt's")
	}
}

// A task that makes empty files until the disk has no inode left has filled it as well.
func TestFilesWithoutBytesFillADisk(t *testing.T) {
	m, a := blaming(t, 40<<20, 0)
	for i := range 10 {
		if err := os.WriteFile(filepath.Join(a.Folders[0], strconv.Itoa(i)), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, own := m.Blame(Task{Job: "job"}, a); own {
		t.Error("Blame(job) = true, want false: inodes are left")
	}
	m.cfg.Store.(*fakeStore).perFile = 1 << 20
	if why, own := m.Blame(Task{Job: "job"}, a); !own || !strings.Contains(why, "df -i") {
		t.Errorf("Blame(job) = %q, %v, want true and advice on df -i", why, own)
	}
}
