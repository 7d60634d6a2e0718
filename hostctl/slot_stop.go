package hostctl

import (
	"context"
	"errors"
	"time"

	"lull/hostctl/shim"
)

// holder is who wants a slot frozen: it goes on when nobody does any more.
type holder uint8

const (
	byPool  holder = 1 << iota // the host is paused
	byGuard                    // for the primary's sake
	byPace                     // a task moves faster than its share, and has no cap
)

// freeze stops what runs in the slot on somebody's behalf, or continues it
// unless another wants it stopped. An unused one too: an earlier agent may have
// left it frozen.
func (s *slot) freeze(ctx context.Context, by holder, on bool) error {
	s.gate.Lock()
	defer s.gate.Unlock()
	s.mu.Lock()
	if s.mu.holds &^= by; on {
		s.mu.holds |= by
	}
	frozen := s.mu.holds != 0
	s.mu.Unlock()
	return s.stop(ctx, frozen)
}

// stop does what freeze says, with the cgroup where it can and signals where it
// cannot. s.gate is held.
func (s *slot) stop(ctx context.Context, frozen bool) error {
	switch {
	case s.freezer && frozen:
		return s.group.Freeze(ctx)
	case s.freezer:
		return s.group.Thaw(ctx)
	}
	return s.pause(frozen)
}

// pause lets the shim stop or continue its task's processes by signals.
func (s *slot) pause(frozen bool) error {
	s.mu.Lock()
	c, task := s.mu.client, s.mu.task
	s.mu.Unlock()
	switch {
	case c == nil || task == 0:
		return nil
	case frozen:
		return c.Pause(task)
	}
	return c.Resume(task)
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
	frozen := s.mu.holds != 0
	s.mu.Unlock()
	if !frozen {
		return c.Kill(attempt, grace)
	}
	err := c.Kill(attempt, 0)
	if s.group.FreezesShim() {
		err = errors.Join(err, s.group.Thaw(ctx)) // nothing else is in the slot
	}
	return err
}

// clear kills all that is in the slot but the shim.
func (s *slot) clear(ctx context.Context) error {
	c := s.client()
	if c == nil {
		return s.group.Kill(ctx)
	}
	return s.group.Kill(ctx, c.PID())
}

// close leaves the shim alone, or ends it with all that it runs.
func (s *slot) close(ctx context.Context, quit bool) error {
	c := s.dismiss(ctx, quit)
	switch {
	case c == nil:
		return nil
	case !quit:
		return c.Close()
	}
	s.awaitEnd(ctx)
	_ = c.Close()
	return s.clear(ctx)
}

// awaitEnd waits until a shim that was told to quit is gone, or ctx ends. One that is
// about to fork hears nothing until its thread in the slot gets CPU, which clear gives it.
func (s *slot) awaitEnd(ctx context.Context) {
	gone := make(chan struct{})
	go func() { s.readers.Wait(); close(gone) }()
	for {
		select {
		case <-gone:
			return
		case <-ctx.Done():
			return
		case <-time.After(quitPatience):
			_ = s.clear(ctx)
		}
	}
}

// quitPatience is how long a shim has to quit by itself: it takes a few milliseconds.
const quitPatience = 100 * time.Millisecond

// dismiss sees to it that no shim is launched any more, and tells the one that
// is there to quit. It returns the connection to it, if any.
func (s *slot) dismiss(ctx context.Context, quit bool) *shim.Client {
	s.gate.Lock()
	defer s.gate.Unlock()
	s.closed = true
	c := s.client()
	if c != nil && quit {
		_ = s.stop(ctx, false) // a frozen shim hears nothing
		_ = c.Quit()           // one that is gone needs no telling
	}
	return c
}
