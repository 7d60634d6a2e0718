package slots

import (
	"context"
	"errors"
	"time"

	"lull/hostctl/shim"
)

// Freeze stops what runs in the slot for a reason, or continues it
// unless another one stands. An unused one too: an earlier agent may have
// left it frozen.
func (s *Slot) Freeze(ctx context.Context, by Holder, on bool) error {
	s.gate.Lock()
	defer s.gate.Unlock()
	return s.setFrozenLocked(ctx, s.Holds.set(by, on))
}

// setFrozenLocked freezes or thaws the slot's cgroup, or its processes by signals where the group
// cannot be frozen. s.gate is held.
func (s *Slot) setFrozenLocked(ctx context.Context, frozen bool) error {
	switch {
	case s.CanFreeze && frozen:
		s.tellHeld(true)
		return s.Group.Freeze(ctx)
	case s.CanFreeze:
		defer s.tellHeld(false)
		return s.Group.Thaw(ctx)
	}
	return s.pause(frozen)
}

// tellHeld tells the shim that the slot is about to be frozen, or has been thawed. A shim that is
// gone needs no word.
func (s *Slot) tellHeld(frozen bool) {
	if c := s.Client(); c != nil {
		_ = c.Hold(frozen)
	}
}

// pause makes the shim stop or continue its task's processes by signals.
func (s *Slot) pause(frozen bool) error {
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

// Kill ends an attempt: gently, unless it is frozen and could not answer.
func (s *Slot) Kill(ctx context.Context, attempt uint64, grace time.Duration) error {
	s.gate.Lock()
	defer s.gate.Unlock()
	c := s.Client()
	if c == nil {
		return nil // its events are closed
	}
	if !s.Holds.Any() {
		return c.Kill(attempt, grace)
	}
	err := c.Kill(attempt, 0)
	if s.Group.FreezesShim() {
		err = errors.Join(err, s.Group.Thaw(ctx)) // nothing else is in the slot
	}
	return err
}

// Clear kills all that is in the slot but the shim.
func (s *Slot) Clear(ctx context.Context) error {
	c := s.Client()
	if c == nil {
		return s.Group.Kill(ctx)
	}
	return s.Group.Kill(ctx, c.PID())
}

// Close leaves the shim alone, or ends it with all that it runs.
func (s *Slot) Close(ctx context.Context, quit bool) error {
	c := s.dismiss(ctx, quit)
	switch {
	case c == nil:
		return nil
	case !quit:
		return c.Close()
	}
	s.awaitEnd(ctx)
	_ = c.Close()
	return s.Clear(ctx)
}

// awaitEnd waits until a shim that has its order to quit is gone, or ctx ends. A shim that is about
// to fork reads no orders until its thread in the slot gets CPU, which Clear gives it.
func (s *Slot) awaitEnd(ctx context.Context) {
	gone := make(chan struct{})
	go func() { s.readers.Wait(); close(gone) }()
	for {
		select {
		case <-gone:
			return
		case <-ctx.Done():
			return
		case <-time.After(quitPatience):
			_ = s.Clear(ctx)
		}
	}
}

// quitPatience is how long a shim has to quit by itself: it takes a few milliseconds.
const quitPatience = 100 * time.Millisecond

// dismiss prevents further launches, and orders the present shim to quit. It returns the connection
// to it, if any.
func (s *Slot) dismiss(ctx context.Context, quit bool) *shim.Client {
	s.gate.Lock()
	defer s.gate.Unlock()
	s.closed = true
	c := s.Client()
	if c != nil && quit {
		_ = s.setFrozenLocked(ctx, false) // a frozen shim reads no orders
		_ = c.Quit()                      // one that is gone needs no order
	}
	return c
}
