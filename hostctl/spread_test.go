package hostctl

import (
	"context"
	"errors"
	"log/slog"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sys/unix"

	"lull/hostctl/spread"
)

// scene is a watch that shows one thread waiting on CPU 0 while another CPU runs
// batch.
type scene struct {
	thread atomic.Int64
	looks  atomic.Int64
	err    atomic.Pointer[error]
}

func (s *scene) Look(to []spread.CPU) ([]spread.CPU, error) {
	s.looks.Add(1)
	if err := s.err.Load(); err != nil {
		return to, *err
	}
	busy := spread.CPU{Runs: spread.Primary}
	if thread := s.thread.Load(); thread != 0 {
		busy.Add(spread.Waiter{Thread: int(thread), Waits: time.Millisecond})
	}
	return append(to, busy, spread.CPU{Runs: spread.Batch}), nil
}

func (s *scene) Every() time.Duration { return time.Millisecond }
func (s *scene) Name() string         { return "a scene" }

// newSpread runs until the test ends, and says then whether it gave up.
func newSpread(t *testing.T, watch spread.Watch) (s *spreading, registry *prometheus.Registry, ended chan struct{}) {
	t.Helper()
	hands, err := spread.NewHands(filepath.Join(t.TempDir(), "moving"))
	check(t, err)
	if len(hands.Usable()) < 2 {
		t.Skip("one CPU")
	}
	registry = prometheus.NewRegistry()
	count, err := newSpreadCounters(registry, "alpha")
	check(t, err)
	s = &spreading{
		watch: watch, core: spread.New(hands.Usable()), hands: hands, count: count, log: slog.New(slog.DiscardHandler),
		gate: spreadGate{cores: 2}, wake: make(chan struct{}, 1),
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended = make(chan struct{})
	go func() { s.run(ctx); close(ended) }()
	t.Cleanup(func() { cancel(); <-ended })
	return s, registry, ended
}

// outcomes is all that the counters count.
func outcomes(t *testing.T, registry *prometheus.Registry) (sum float64) {
	t.Helper()
	families, err := registry.Gather()
	check(t, err)
	for _, f := range families {
		for _, m := range f.GetMetric() {
			sum += m.GetCounter().GetValue()
		}
	}
	return sum
}

// openGate opens the gate, and skips the test where no thread can take precedence.
func openGate(t *testing.T, s *spreading, ended chan struct{}) {
	t.Helper()
	s.attend(time.Now(), 1, 0, false)
	select {
	case <-ended:
		t.Skip("threads may not take precedence here")
	default:
	}
}

func TestAThreadThatWaitsIsMovedWhileTheGateIsOpen(t *testing.T) {
	cmd := exec.Command("sleep", "60")
	check(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	watch := &scene{}
	watch.thread.Store(int64(cmd.Process.Pid))
	s, registry, ended := newSpread(t, watch)
	if n := watch.looks.Load(); n != 0 {
		t.Errorf("%d looks although nothing is to be seen", n)
	}
	openGate(t, s, ended)
	eventually(t, "it is moved or bound", func() bool {
		return outcomes(t, registry) > 0
	})
	s.attend(time.Now(), 0, 0, false)
	if s.open.Load() {
		t.Error("without tasks it goes on looking")
	}
}

func TestWhoCannotMoveThreadsGivesUp(t *testing.T) {
	watch := &scene{}
	s, _, ended := newSpread(t, watch)
	for range hopeless - 1 {
		check(t, s.note(unix.EPERM))
	}
	check(t, s.note(unix.ESRCH))
	if err := s.note(unix.EPERM); !errors.Is(err, unix.EPERM) {
		t.Errorf("after %d failures: %v", hopeless, err)
	}
	blind := errors.New("the sensor is closed")
	watch.err.Store(&blind)
	openGate(t, s, ended)
	eventually(t, "it ends", func() bool {
		select {
		case <-ended:
			return true
		default:
			return false
		}
	})
}

func TestOneSuccessIsHopeEnough(t *testing.T) {
	count, err := newSpreadCounters(nil, "alpha")
	check(t, err)
	s := &spreading{count: count, worked: true}
	for range 2 * hopeless {
		check(t, s.note(unix.EINVAL))
	}
}

func TestSpreadGate(t *testing.T) {
	now := time.Unix(1000, 0)
	g := &spreadGate{cores: 2}
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
		{time.Millisecond, 0, 0, false}, // nobody is beside it
		{time.Second, 1, 2, false},      // no core is left for anybody else
	} {
		now, g.ran = now.Add(c.after), 0
		if open := g.step(now, c.tasks, c.ran, true); open != c.open {
			t.Errorf("step %d: open %v", i, open)
		}
	}
	if !g.step(now, 1, 0, false) {
		t.Error("where the primary's use is not known there may be something to see")
	}
}

func TestAHostThatCannotSpreadSaysWhy(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	cfg.Spread = SpreadOn
	if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), "spread") {
		t.Errorf("on, and nobody watches: %v", err)
	}
	if _, err := ParseSpread("maybe"); err == nil {
		t.Error("maybe is no mode")
	}
}
