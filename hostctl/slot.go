package hostctl

import (
	"context"
	"fmt"
	"os"
	"sync"
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
	group *cgroup.Slot
	// freezer says that the group can be frozen; the shim sends signals otherwise.
	freezer bool
	gate    sync.Mutex // held while the shim is launched or the slot frozen
	closed  bool       // the agent leaves: no shim is launched any more; under gate

	committing sync.Mutex // held during a commit while the slot runs the next attempt

	mu struct {
		sync.Mutex
		client  *shim.Client
		waiting map[uint64]chan shim.Event
		old     bool              // the shim is another program than the agent would start
		limit   int64             // memory limit in force, -1 for unknown
		task    uint64            // attempt that was launched last, 0 when it has ended
		found   <-chan shim.Event // of the attempt that ran when the shim was adopted
		holds   holder            // who wants the slot frozen
	}
	readers sync.WaitGroup
}

func newSlot(n int, cfg shim.Config, freezer bool) *slot {
	s := &slot{n: n, cfg: cfg, group: cfg.Slot, freezer: freezer}
	s.mu.waiting = make(map[uint64]chan shim.Event)
	s.mu.limit = -1
	return s
}

// shim returns the slot's shim, launching or adopting it if need be.
func (s *slot) shim(ctx context.Context) (*shim.Client, error) {
	return s.shimWithin(ctx, leavePatience)
}

func (s *slot) shimWithin(ctx context.Context, patience time.Duration) (*shim.Client, error) {
	s.gate.Lock()
	defer s.gate.Unlock()
	if c := s.client(); c != nil && !s.outdated() {
		return c, nil
	}
	if s.closed {
		return nil, fmt.Errorf("slot %d: %w", s.n, errLeft)
	}
	// A launch that was begun is gone through with: close waits for it, and a
	// shim that nobody is connected to would stay behind.
	launch, stop := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer stop()
	c, err := shim.Launch(launch, s.cfg)
	if err != nil {
		return nil, fmt.Errorf("slot %d: %w", s.n, err)
	}
	if r := c.Hello().Running; r != nil {
		// Before the first event is read, or its end could be missed.
		events := s.expect(r.Attempt)
		s.mu.Lock()
		s.mu.found = events
		s.mu.Unlock()
	}
	s.mu.Lock()
	s.mu.client, s.mu.old = c, s.older(c)
	frozen := s.mu.holds != 0
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

// limitMemory bounds the next task, whatever the last one left behind. Most tasks of
// a slot ask for the same and leave little, and each change costs four writes.
func (s *slot) limitMemory(bytes int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	limit := bytes
	if bytes > 0 {
		limit += s.group.Leftover(bytes)
	}
	if s.mu.limit == limit {
		return nil
	}
	if err := s.group.Limit(limit, maxProcesses); err != nil {
		return fmt.Errorf("slot %d: limit the memory to %d MB: %w", s.n, limit>>20, err)
	}
	s.mu.limit = limit
	return nil
}
