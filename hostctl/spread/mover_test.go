package spread

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// TestMain makes the test binary serve as a process that moves threads, and as one that dies
// between the two calls.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "die" {
		err := die(os.Args[2], os.Args[3])
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if len(os.Args) == 4 && os.Args[1] == "serve" {
		os.Exit(serve(os.Args[2], os.Args[3]))
	}
	os.Exit(m.Run())
}

// die moves a thread half the way.
func die(path, thread string) error {
	id, err := strconv.Atoi(thread)
	if err != nil {
		return err
	}
	h, err := NewMover(path)
	if err != nil {
		return err
	}
	if err := h.send(Move{id, 0}, &h.full); err != nil {
		return err
	}
	return unix.Kill(os.Getpid(), unix.SIGKILL)
}

// sleeper is a process that does nothing, and is everywhere.
func sleeper(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	full, err := unboundMask()
	if err != nil {
		t.Fatal(err)
	}
	if full.Count() < 2 {
		t.Skip("needs two CPUs")
	}
	if err := unix.SchedSetaffinity(cmd.Process.Pid, &full); err != nil {
		t.Skip("needs all CPUs: ", err)
	}
	return cmd.Process.Pid
}

func mask(t *testing.T, thread int) unix.CPUSet {
	t.Helper()
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(thread, &set); err != nil {
		t.Fatal(err)
	}
	return set
}

func newHands(t *testing.T, path string) *Mover {
	t.Helper()
	h, err := NewMover(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func TestMoveLeavesTheMaskAsItWas(t *testing.T) {
	h, thread := newHands(t, filepath.Join(t.TempDir(), "note")), sleeper(t)
	before := mask(t, thread)
	if err := h.Move(Move{thread, 1}); err != nil {
		t.Fatal(err)
	}
	if now := mask(t, thread); now != before || h.note.thread != 0 {
		t.Errorf("mask = %v, note of thread %d, want %v as before, none", now, h.note.thread, before)
	}
}

func TestAPinnedThreadIsNotMoved(t *testing.T) {
	h, thread := newHands(t, filepath.Join(t.TempDir(), "note")), sleeper(t)
	var pinned unix.CPUSet
	pinned.Set(0)
	if err := unix.SchedSetaffinity(thread, &pinned); err != nil {
		t.Fatal(err)
	}
	if err := h.Move(Move{thread, 1}); !errors.Is(err, ErrPinned) || mask(t, thread) != pinned {
		t.Errorf("Move(a pinned thread) = %v, mask %v, want ErrPinned, %v", err, mask(t, thread), pinned)
	}
}

func TestAThreadThatIsGoneIsSaidToBe(t *testing.T) {
	h := newHands(t, filepath.Join(t.TempDir(), "note"))
	if err := h.Move(Move{1 << 22, 1}); !errors.Is(err, unix.ESRCH) {
		t.Error(err)
	}
}

func TestWhatAKilledProcessLeftIsUndone(t *testing.T) {
	path, thread := filepath.Join(t.TempDir(), "note"), sleeper(t)
	before := mask(t, thread)
	killed(t, path, thread)
	if mask(t, thread) == before {
		t.Fatalf("mask = %v as before, want it left changed", before)
	}
	for _, want := range []int{thread, 0} {
		if got, err := Restore(path); got != want || err != nil {
			t.Errorf("undone %d: %v, want %d", got, err, want)
		}
	}
	if mask(t, thread) != before {
		t.Errorf("mask = %v, want %v as before", mask(t, thread), before)
	}
}

func killed(t *testing.T, path string, thread int) {
	t.Helper()
	out, err := exec.Command(os.Args[0], "die", path, strconv.Itoa(thread)).CombinedOutput()
	if err == nil || err.Error() != "signal: killed" {
		t.Fatalf("end = %v: %s, want it killed", err, out)
	}
}

func TestAnotherThreadOfTheSameNumberIsNotTouched(t *testing.T) {
	path, thread := filepath.Join(t.TempDir(), "note"), sleeper(t)
	killed(t, path, thread)
	n, err := openNote(path)
	if err != nil {
		t.Fatal(err)
	}
	n.since = 1 // it was another one, before this began
	if err := n.close(); err != nil {
		t.Fatal(err)
	}
	left := mask(t, thread)
	if got, err := Restore(path); got != 0 || err != nil || mask(t, thread) != left {
		t.Errorf("Restore() = %d, %v, mask %v, want 0 and %v", got, err, mask(t, thread), left)
	}
}

func TestWithoutANoteNothingIsUndone(t *testing.T) {
	if got, err := Restore(filepath.Join(t.TempDir(), "note")); got != 0 || err != nil {
		t.Errorf("Restore(no note) = %d, %v, want 0", got, err)
	}
}

func TestANoteOfGarbageIsNoPanic(t *testing.T) {
	path := filepath.Join(t.TempDir(), "note")
	garbage := make([]byte, pageSize)
	for i := range garbage {
		garbage[i] = 0xff
	}
	boot, err := bootID()
	if err != nil {
		t.Fatal(err)
	}
	clear(garbage[:48])
	copy(garbage, boot)
	if err := os.WriteFile(path, garbage, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := Restore(path); got != 0 || err != nil {
		t.Errorf("Restore(thread -1) = %d, %v, want 0", got, err)
	}
}
