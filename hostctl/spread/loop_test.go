package spread

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// scene is a watch that shows one thread waiting on CPU 0 while another CPU runs
// batch.
type scene struct{ thread int }

func (s scene) Look(to []CPU) ([]CPU, error) {
	if s.thread == 0 {
		return to, errors.New("the sensor is closed")
	}
	return append(to, cpu(Primary, Waiter{s.thread, ms}), cpu(Batch)), nil
}
func (s scene) Bell() int       { return -1 }
func (s scene) SetListener(int) {}

// serve is the process that moves threads, in a scene.
func serve(path, thread string) int {
	id, err := strconv.Atoi(thread)
	if err == nil {
		err = Serve(scene{id}, path, 0)
	}
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, err)
	if errors.Is(err, ErrImmovable) {
		return 3
	}
	return 1
}

// mover is such a process with its gate.
func mover(t *testing.T, path string, thread int) (gate *os.File, cmd *exec.Cmd) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close() //nolint:errcheck // the process has its own
	cmd = exec.Command(os.Args[0], "serve", path, strconv.Itoa(thread))
	cmd.Stdin, cmd.Stderr = read, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = write.Close(); _ = cmd.Wait() })
	return write, cmd
}

func tell(t *testing.T, gate *os.File, word byte) {
	t.Helper()
	if _, err := gate.Write([]byte{word}); err != nil {
		t.Fatal(err)
	}
}

// status waits for a process and returns its exit status.
func status(cmd *exec.Cmd) int {
	_ = cmd.Wait() // the status says it
	return cmd.ProcessState.ExitCode()
}

func TestThreadsAreMovedWhileTheGateIsOpen(t *testing.T) {
	path, thread := filepath.Join(t.TempDir(), "note"), sleeper(t)
	book, err := OpenTally(path)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close() //nolint:errcheck // the test ends
	before := mask(t, thread)
	gate, cmd := mover(t, path, thread)
	tell(t, gate, OpenGate)
	for deadline := time.Now().Add(20 * time.Second); book.Tally().Moved == 0; {
		if time.Now().After(deadline) {
			t.Fatalf("moved after 20 s: %+v, want at least one thread", book.Tally())
		}
	}
	tell(t, gate, CloseGate)
	if err := gate.Close(); err != nil {
		t.Fatal(err)
	}
	if n := status(cmd); n != 0 {
		t.Errorf("exit status = %d, want 0", n)
	}
	if mask(t, thread) != before || book.note.thread != 0 {
		t.Errorf("mask = %v, note of thread %d, want %v as before, none", mask(t, thread), book.note.thread, before)
	}
}

func TestALoopWhoseGateNeverOpensDoesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "note")
	gate, cmd := mover(t, path, 0)
	if err := gate.Close(); err != nil {
		t.Fatal(err)
	}
	if n := status(cmd); n != 0 {
		t.Errorf("exit status with nothing to look at = %d, want 0", n)
	}
}

func TestASensorThatFailsEndsTheProcess(t *testing.T) {
	gate, cmd := mover(t, filepath.Join(t.TempDir(), "note"), 0)
	tell(t, gate, OpenGate)
	if n := status(cmd); n != 1 {
		t.Errorf("exit status = %d, want 1", n)
	}
}

func TestASpreaderThatCannotMoveThreadsGivesUp(t *testing.T) {
	l := &loop{mover: newHands(t, filepath.Join(t.TempDir(), "note"))}
	for range mostFailures - 1 {
		if err := l.count(unix.EPERM); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.count(unix.ESRCH); err != nil {
		t.Errorf("count(a thread that ended) = %v, want no error", err)
	}
	if err := l.count(unix.EPERM); !errors.Is(err, unix.EPERM) {
		t.Errorf("count() after %d failures = %v, want EPERM", mostFailures, err)
	}
}

func TestOneSuccessIsHopeEnough(t *testing.T) {
	l := &loop{mover: newHands(t, filepath.Join(t.TempDir(), "note")), worked: true}
	for range 2 * mostFailures {
		if err := l.count(unix.EINVAL); err != nil {
			t.Fatal(err)
		}
	}
	if got := l.mover.note.tally.read(); got != (Tally{Failed: 2 * mostFailures}) {
		t.Errorf("tally = %+v, want %d failed", got, 2*mostFailures)
	}
}
