package slots

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"lull/hostctl/cgroup"
	"lull/hostctl/shim"
)

// MaxProcesses bounds the processes and threads of one task: enough for a
// parallel build, too few for a fork bomb to hurt the host.
const MaxProcesses = 4096

// launchPatience bounds the launch of a shim, and the end of one.
const launchPatience = 10 * time.Second

// ErrClosed says that the agent leaves: no shim is launched any more.
var ErrClosed = errors.New("the agent leaves")

// Slot is one place for a task: a shim, launched with the first task, and its
// cgroup.
type Slot struct {
	N     int // its number
	Group *cgroup.Slot
	cfg   shim.Config
	// CanFreeze says that the group can be frozen; the shim sends signals otherwise.
	CanFreeze bool
	gate      sync.Mutex    // held while the shim is launched or the slot frozen
	wait      interruptible // for frozen processes, under gate
	closed    bool          // the agent leaves: no shim is launched any more; under gate

	// Memory bounds the tasks of the slot.
	Memory *MemoryLimit

	// Weight is the tasks' beside those of other slots.
	Weight Weight

	// Holds says why the slot is frozen: see Freeze.
	Holds Holds

	// Commit is held during a commit while the slot runs the next attempt.
	Commit sync.Mutex

	mu struct {
		sync.Mutex
		client  *shim.Client
		waiting map[uint64]chan shim.Event
		old     bool              // the shim is another program than the agent would start
		task    uint64            // attempt that was launched last, 0 when it has ended
		found   <-chan shim.Event // of the attempt that ran when the shim was adopted
	}
	readers sync.WaitGroup
}

// New returns slot n of a host. canFreeze says that its group can be frozen.
func New(n int, cfg shim.Config, canFreeze bool) *Slot {
	s := &Slot{N: n, cfg: cfg, Group: cfg.Slot, CanFreeze: canFreeze, Memory: newMemoryLimit(n, cfg.Slot)}
	s.Weight.slot, s.Weight.group = n, cfg.Slot
	s.mu.waiting = make(map[uint64]chan shim.Event)
	return s
}

// Shim returns the slot's shim, launching or adopting it if need be.
func (s *Slot) Shim(ctx context.Context) (*shim.Client, error) {
	return s.ShimWithin(ctx, launchPatience)
}

// ShimWithin is Shim with a bound on the launch.
func (s *Slot) ShimWithin(ctx context.Context, patience time.Duration) (*shim.Client, error) {
	s.gate.Lock()
	defer s.gate.Unlock()
	if c := s.Client(); c != nil && !s.endOutdatedLocked() {
		return c, nil
	}
	if s.closed {
		return nil, fmt.Errorf("slot %d: %w", s.N, ErrClosed)
	}
	// A launch that was begun is gone through with: close waits for it, and a
	// shim without a connection would stay behind.
	launch, stop := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer stop()
	c, err := shim.Launch(launch, s.cfg)
	if err != nil {
		return nil, fmt.Errorf("slot %d: %w", s.N, err)
	}
	if r := c.Hello().Running; r != nil {
		// Before the first event is read, or its end could be missed.
		events := s.Expect(r.Attempt)
		s.mu.Lock()
		s.mu.found = events
		s.mu.Unlock()
	}
	s.mu.Lock()
	s.mu.client, s.mu.old = c, outdated(c, s.cfg.Command)
	frozen := s.Holds.Any()
	s.mu.Unlock()
	s.readers.Go(func() { s.readEvents(c) })
	if frozen {
		err = s.setFrozenLocked(ctx, true)
	}
	return c, err
}

// Alive reports whether a shim was left behind by an earlier agent.
func (s *Slot) Alive() bool {
	_, err := os.Lstat(s.cfg.Dir + "/shim.sock")
	return err == nil
}

// Client is the connection to the shim, nil if there is none.
func (s *Slot) Client() *shim.Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mu.client
}

// Dir is the shim's folder.
func (s *Slot) Dir() string { return s.cfg.Dir }

// Found is where the events come of the attempt that ran when the shim was adopted, nil if none
// did.
func (s *Slot) Found() <-chan shim.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mu.found
}

// Ack tells the slot's shim that the log has the end of an attempt. It does nothing if that shim
// was replaced, or if the Slot is nil.
func (s *Slot) Ack(attempt uint64) {
	if s == nil {
		return
	}
	if c := s.Client(); c != nil {
		_ = c.Ack(attempt) // a shim that is gone has forgotten it already
	}
}
