package spreading

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"lull/hostctl/spread"
)

// Command makes the command of the process that moves waiting threads of the primary. The process
// must call spread.Serve with this note and its standard input, and exit with StatusImmovable if the
// kernel rules it out. The command is made anew for each start.
type Command func(note string) (*exec.Cmd, error)

// StatusImmovable is the exit status of a process that can move no thread here.
const StatusImmovable = 3

// Keeper runs the process of its Command, and opens and closes its gate. A nil Keeper is valid and moves nothing.
type Keeper struct {
	command Command
	note    string
	tally   *spread.TallyReader
	log     *slog.Logger
	gate    gate // the guard's alone

	mu struct {
		sync.Mutex
		open bool
		pipe *os.File // what the process reads, nil if there is none
	}
}

// A process that ended is started again after firstPause. The pause doubles each time, up to longestPause.
const (
	firstPause   = time.Second
	longestPause = time.Minute
)

// Run keeps a process running until ctx ends, or the kernel rules out that it moves threads.
func (s *Keeper) Run(ctx context.Context) {
	if s == nil {
		return
	}
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := s.runProcess(ctx)
		if ctx.Err() != nil {
			return
		}
		if immovable(err) {
			s.log.Warn("guard: the primary's threads stay where the kernel queues them", "error", err)
			return
		}
		s.log.Warn("guard: the process that moves the primary's threads ended, and is started again", "error", err, "in", pause)
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// immovable reports whether a process exited because another one would fail in the same way.
func immovable(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == StatusImmovable
}

// runProcess runs one process to its end. The process ends when its standard input does, so it
// does not outlive an agent that is killed.
func (s *Keeper) runProcess(ctx context.Context) error {
	s.restore()
	cmd, err := s.command(s.note)
	if err != nil {
		return err
	}
	defer closeFiles(cmd)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	gate, gateWriter, err := os.Pipe()
	if err != nil {
		return err
	}
	defer gate.Close() //nolint:errcheck // the process has its own
	cmd.Stdin = gate
	// Ctrl-C reaches the agent alone, which ends the process in order.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return errors.Join(fmt.Errorf("start the process that moves the primary's threads: %w", err), gateWriter.Close())
	}
	s.attach(gateWriter)
	defer s.attach(nil)
	defer context.AfterFunc(ctx, func() { s.attach(nil) })()
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(stderr.String()))
	}
	return nil
}

// closeFiles closes what was opened for a process.
func closeFiles(cmd *exec.Cmd) {
	for _, f := range cmd.ExtraFiles {
		_ = f.Close() // the process has its own
	}
}

// restore undoes what a process left that was killed in a move.
func (s *Keeper) restore() {
	if thread, err := spread.Restore(s.note); err != nil {
		s.log.Warn("guard: a thread of the primary stays where it was sent", "error", err)
	} else if thread != 0 {
		s.log.Info("guard: a thread of the primary may run everywhere again", "thread", thread)
	}
}

// attach sets the process whose gate is used from now on, and sends it the state. The end of the
// earlier process's gate is closed, which ends it.
func (s *Keeper) attach(gateWriter *os.File) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mu.pipe != nil {
		_ = s.mu.pipe.Close()
	}
	s.mu.pipe = gateWriter
	s.signalGate()
}

// signalGate sends whether to look. A write to a process that is gone is ignored: its end is
// noticed elsewhere.
func (s *Keeper) signalGate() {
	word := byte(spread.CloseGate)
	if s.mu.open {
		word = spread.OpenGate
	}
	if s.mu.pipe != nil {
		_, _ = s.mu.pipe.Write([]byte{word})
	}
}

// UpdateGate opens the gate while threads of the primary may wait behind batch work, and closes it otherwise.
// It is closed while batch work yields, because nothing is in the primary's way then. Only the guard's
// goroutine calls it.
func (s *Keeper) UpdateGate(now time.Time, tasks int, ran float64, known, yields bool) {
	if s == nil {
		return
	}
	open := s.gate.step(now, tasks, ran, known) && !yields
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mu.open != open {
		s.mu.open = open
		s.signalGate()
	}
}
