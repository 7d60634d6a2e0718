package spreading

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"lull/hostctl/spread"
)

// still shows one thread waiting on CPU 0 while another CPU runs batch.
type still struct{ thread int }

func (s still) Look(to []spread.CPU) ([]spread.CPU, error) {
	busy := spread.CPU{Runs: spread.Primary}
	busy.Add(spread.Waiter{Thread: s.thread, Waited: time.Millisecond})
	return append(to, busy, spread.CPU{Runs: spread.Batch}), nil
}
func (s still) Bell() int       { return -1 }
func (s still) SetListener(int) {}

// What stands in place of a thread's number.
const (
	unmovable  = 0  // no thread can be moved
	endsAtOnce = -1 // the process ends at once
)

// spreadMain is the process that moves threads in a test: the one given.
func spreadMain(note, thread string) int {
	id, err := strconv.Atoi(thread)
	switch {
	case err != nil || id == unmovable:
		return StatusImmovable
	case id == endsAtOnce || spread.Serve(still{id}, note, 0) != nil:
		return 1
	}
	return 0
}

// newSpread runs until the test ends, with a process for each thread in turn;
// ended is closed when it gives up.
func newSpread(t *testing.T, threads ...int) (s *Keeper, started chan int, ended chan struct{}) {
	t.Helper()
	started, ended = make(chan int, 8), make(chan struct{})
	s = &Keeper{
		command: func(note string) (*exec.Cmd, error) {
			thread := threads[min(len(started), len(threads)-1)]
			started <- thread
			return exec.Command(os.Args[0], "spread", note, strconv.Itoa(thread)), nil
		},
		note: filepath.Join(t.TempDir(), "moving"), log: slog.New(slog.DiscardHandler), gate: gate{cores: 2},
	}
	check(t, s.show(nil, "alpha"))
	ctx, cancel := context.WithCancel(t.Context())
	go func() { s.Run(ctx); close(ended) }()
	t.Cleanup(func() { cancel(); <-ended })
	return s, started, ended
}

// sleeper is a thread that does nothing.
func sleeper(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("sleep", "60")
	check(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd.Process.Pid
}

func tried(s *Keeper) uint64 {
	t := s.tally.Tally()
	return t.Moved + t.Left
}

func TestAThreadThatWaitsIsMovedWhileTheGateIsOpen(t *testing.T) {
	s, _, _ := newSpread(t, sleeper(t))
	if tried(s) > 0 {
		t.Errorf("looks with nothing to see = %d, want 0", tried(s))
	}
	s.UpdateGate(time.Now(), 1, 0, false, false)
	eventually(t, "it is moved or bound", func() bool { return tried(s) > 0 })
	s.UpdateGate(time.Now(), 0, 0, false, false)
	if s.mu.open {
		t.Error("open = true without tasks, want false")
	}
}

func TestAProcessThatEndsHasASuccessor(t *testing.T) {
	s, started, _ := newSpread(t, endsAtOnce, sleeper(t))
	s.UpdateGate(time.Now(), 1, 0, false, false)
	eventually(t, "the next one is told to look", func() bool { return tried(s) > 0 })
	if len(started) != 2 {
		t.Errorf("processes started = %d, want 2", len(started))
	}
}

func TestWhereNoThreadCanBeMovedNothingIsTriedAgain(t *testing.T) {
	_, started, ended := newSpread(t, unmovable)
	<-ended
	if len(started) != 1 {
		t.Errorf("processes started = %d, want 1", len(started))
	}
}

func TestTheProcessEndsWithItsAgent(t *testing.T) {
	note := filepath.Join(t.TempDir(), "moving")
	gate, told, err := os.Pipe()
	check(t, err)
	cmd := exec.Command(os.Args[0], "spread", note, strconv.Itoa(sleeper(t)))
	cmd.Stdin = gate
	check(t, cmd.Start())
	check(t, gate.Close())
	_, err = told.Write([]byte{spread.OpenGate})
	check(t, err)
	check(t, told.Close()) // as the kernel does when an agent is killed
	check(t, cmd.Wait())
}

func TestTheProcessIsNotInterruptedWithItsAgent(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stat")
	s := &Keeper{
		command: func(string) (*exec.Cmd, error) {
			return exec.Command("sh", "-c", `cat /proc/$$/stat > "$0"; exit "$1"`, file, strconv.Itoa(StatusImmovable)), nil
		},
		note: filepath.Join(t.TempDir(), "moving"), log: slog.New(slog.DiscardHandler),
	}
	s.Run(t.Context())
	var state string
	var pid, parent, group int
	_, err := fmt.Sscanf(read(t, file), "%d (sh) %s %d %d", &pid, &state, &parent, &group)
	check(t, err)
	if group != pid {
		t.Errorf("process %d is in group %d, want its own, or Ctrl-C ends it before its agent does", pid, group)
	}
}

func TestMovesAreMetrics(t *testing.T) {
	registry := prometheus.NewRegistry()
	s := &Keeper{note: filepath.Join(t.TempDir(), "moving")}
	check(t, s.show(registry, "alpha"))
	families, err := registry.Gather()
	check(t, err)
	if len(families) != 3 || !strings.HasPrefix(families[0].GetName(), "lull_spread_") {
		t.Errorf("metrics = %v, want three that begin with lull_spread_", families)
	}
}
func TestSpreadGate(t *testing.T) {
	now := time.Unix(1000, 0)
	g := &gate{cores: 2}
	g.step(now, 1, 0, true)
	for i, c := range []struct {
		after time.Duration
		tasks int
		ran   float64 // meanwhile
		open  bool
	}{
		{100 * time.Millisecond, 1, 0.001, false}, // it rests
		{25 * time.Millisecond, 1, 0.01, true},    // a burst
		{500 * time.Millisecond, 1, 0, true},      // it may come again
		{time.Second, 1, 0, false},
		{time.Second, 1, 1, true},
		{time.Millisecond, 0, 0, false}, // nothing is beside it
		{time.Second, 1, 2, false},      // no core is left for batch work
	} {
		now, g.ran = now.Add(c.after), 0
		if open := g.step(now, c.tasks, c.ran, true); open != c.open {
			t.Errorf("step %d: open = %v, want %v", i, open, c.open)
		}
	}
	if !g.step(now, 1, 0, false) {
		t.Error("step() with the primary's use unknown = false, want true")
	}
}

func TestAHostThatCannotSpreadSaysWhy(t *testing.T) {
	cfg := Config{Mode: On, Note: filepath.Join(t.TempDir(), "moving"), Logger: slog.New(slog.DiscardHandler)}
	if _, err := Open(cfg); err == nil || !strings.Contains(err.Error(), "spread") {
		t.Errorf("Open(on, with nothing to watch) = %v, want an error", err)
	}
	cfg.Mode = Auto
	if s, err := Open(cfg); s != nil || err != nil {
		t.Errorf("Open(auto, with nothing to watch) = %v, %v, want none", s, err)
	}
	if _, err := ParseMode("maybe"); err == nil {
		t.Error("ParseMode(maybe) = nil error, want an error")
	}
}

func check(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	check(t, err)
	return string(b)
}

// eventually polls a condition that nothing announces.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(30 * time.Second); !holds(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("time is over, want that %s", what)
		}
	}
}

// TestMain makes the test binary serve as the process that moves threads.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "spread" {
		os.Exit(spreadMain(os.Args[2], os.Args[3]))
	}
	os.Exit(m.Run())
}
