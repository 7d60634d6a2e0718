package hostctl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"

	"lull/hostctl/cgroup"
	"lull/hostctl/shim"
)

// maxProcesses bounds the processes and threads of one task: enough for a
// parallel build, too few for a fork bomb to hurt the host.
const maxProcesses = 4096

// slot is one place for a task: a shim, launched with the first task, and its
// cgroup.
type slot struct {
	n     int
	cfg   shim.Config
	group *cgroup.Slot // nil without cgroups
	gate  sync.Mutex   // held while the shim is launched or the slot frozen

	mu struct {
		sync.Mutex
		client  *shim.Client
		waiting map[uint64]chan shim.Event
		limit   int64             // memory limit in force, -1 for unknown
		pid     int               // main process of the task, once it is known
		found   <-chan shim.Event // of the attempt that ran when the shim was adopted
		frozen  bool
	}
	readers sync.WaitGroup
}

func newSlot(n int, cfg shim.Config) *slot {
	s := &slot{n: n, cfg: cfg, group: cfg.Slot}
	s.mu.waiting = make(map[uint64]chan shim.Event)
	s.mu.limit = -1
	return s
}

// shim returns the slot's shim, launching or adopting it if need be.
func (s *slot) shim(ctx context.Context) (*shim.Client, error) {
	s.gate.Lock()
	defer s.gate.Unlock()
	if c := s.client(); c != nil {
		return c, nil
	}
	c, err := shim.Launch(ctx, s.cfg)
	if err != nil {
		return nil, fmt.Errorf("slot %d: %w", s.n, err)
	}
	if r := c.Hello().Running; r != nil {
		// Before the first event is read, or its end could be missed.
		events := s.expect(r.Attempt)
		s.mu.Lock()
		s.mu.found, s.mu.pid = events, r.PID
		s.mu.Unlock()
	}
	s.mu.Lock()
	s.mu.client = c
	frozen := s.mu.frozen
	s.mu.Unlock()
	s.readers.Go(func() { s.read(c) })
	if frozen {
		err = s.stop(ctx, true)
	}
	return c, err
}

// alive reports whether a shim was left behind by an earlier agent.
func (s *slot) alive() bool {
	_, err := os.Lstat(s.cfg.Dir + "/shim.sock")
	return err == nil
}

func (s *slot) client() *shim.Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mu.client
}

// expect returns where the events of an attempt will come. It is closed when
// the shim is lost.
func (s *slot) expect(attempt uint64) <-chan shim.Event {
	ch := make(chan shim.Event, 4) // Started, perhaps twice, and one end
	s.mu.Lock()
	s.mu.waiting[attempt] = ch
	s.mu.Unlock()
	return ch
}

// read hands the shim's events to those who wait for them.
func (s *slot) read(c *shim.Client) {
	for e := range c.Events() {
		s.deliver(e)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mu.client == c {
		s.mu.client = nil
	}
	for id, ch := range s.mu.waiting {
		close(ch)
		delete(s.mu.waiting, id)
	}
}

func (s *slot) deliver(e shim.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e := e.(type) {
	case *shim.Started:
		s.mu.pid = e.PID
		if ch := s.mu.waiting[e.Attempt]; ch != nil {
			ch <- e
		}
		if s.mu.frozen && s.group == nil {
			_ = syscall.Kill(-e.PID, syscall.SIGSTOP)
		}
	case *shim.Exited:
		s.hand(e.Attempt, e)
	case *shim.StartFailed:
		s.hand(e.Attempt, e)
	}
}

// hand delivers an attempt's last event. s.mu is held.
func (s *slot) hand(attempt uint64, e shim.Event) {
	s.mu.pid = 0
	if ch := s.mu.waiting[attempt]; ch != nil {
		ch <- e
		delete(s.mu.waiting, attempt)
	}
}

// limitMemory bounds the next task. Most tasks of a slot ask for the same, and
// each change costs four writes.
func (s *slot) limitMemory(bytes int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.group == nil || s.mu.limit == bytes {
		return nil
	}
	if err := s.group.Limit(bytes, maxProcesses); err != nil {
		return fmt.Errorf("slot %d: limit the memory to %d MB: %w", s.n, bytes>>20, err)
	}
	s.mu.limit = bytes
	return nil
}

// freeze stops or continues what runs in the slot.
func (s *slot) freeze(ctx context.Context, frozen bool) error {
	s.gate.Lock()
	defer s.gate.Unlock()
	s.mu.Lock()
	s.mu.frozen = frozen
	used := s.mu.client != nil
	s.mu.Unlock()
	if !used {
		return nil
	}
	return s.stop(ctx, frozen)
}

// stop does what freeze says, with the cgroup where there is one and signals
// where there is none. s.gate is held.
func (s *slot) stop(ctx context.Context, frozen bool) error {
	err := cgroup.ErrAbsent
	if s.group != nil && frozen {
		err = s.group.Freeze(ctx)
	} else if s.group != nil {
		err = s.group.Thaw(ctx)
	}
	if !errors.Is(err, cgroup.ErrAbsent) {
		return err
	}
	s.signal(map[bool]syscall.Signal{true: syscall.SIGSTOP, false: syscall.SIGCONT}[frozen])
	return nil
}

func (s *slot) signal(sig syscall.Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mu.pid > 0 {
		_ = syscall.Kill(-s.mu.pid, sig) // it may have ended meanwhile
	}
}

// kill ends an attempt: gently, unless it is frozen and could not answer.
func (s *slot) kill(ctx context.Context, attempt uint64, grace time.Duration) error {
	s.gate.Lock()
	defer s.gate.Unlock()
	c := s.client()
	if c == nil {
		return nil // its events are closed
	}
	s.mu.Lock()
	frozen := s.mu.frozen
	s.mu.Unlock()
	if !frozen {
		return c.Kill(attempt, grace)
	}
	err := c.Kill(attempt, 0)
	if s.group != nil && s.group.FreezesShim() {
		err = errors.Join(err, s.group.Thaw(ctx)) // nothing else is in the slot
	}
	return err
}

// clear kills all that is in the slot but the shim.
func (s *slot) clear(ctx context.Context) error {
	if s.group == nil {
		return nil
	}
	if c := s.client(); c != nil {
		return s.group.Kill(ctx, c.PID())
	}
	return s.group.Kill(ctx)
}

// close leaves the shim alone, or ends it with all that it runs.
func (s *slot) close(ctx context.Context, quit bool) error {
	s.gate.Lock()
	defer s.gate.Unlock()
	c := s.client()
	if c == nil {
		return nil
	}
	if !quit {
		return c.Close()
	}
	_ = s.stop(ctx, false) // a frozen shim hears nothing
	_ = c.Quit()           // one that is gone needs no telling
	gone := make(chan struct{})
	go func() { s.readers.Wait(); close(gone) }()
	select {
	case <-gone:
	case <-ctx.Done():
	}
	_ = c.Close()
	return s.clear(ctx)
}
