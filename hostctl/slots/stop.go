package slots

import (
	"context"
	"errors"
	"sync"
	"time"

	"lull/hostctl/shim"
)

// Freeze stops what runs in the slot for a reason, or continues it
// unless another one stands. An unused one too: an earlier agent may have
// left it frozen.
func (s *Slot) Freeze(ctx context.Context, by Holder, on bool) error {
	s.gate.Lock()
	defer s.gate.Unlock()
	ctx, done := s.wait.begin(ctx)
	defer done()
	err := s.setFrozenLocked(ctx, s.Holds.set(by, on))
	if errors.Is(context.Cause(ctx), errHurry) {
		return nil // the kernel goes on stopping what Kill does not end
	}
	return err
}

// interruptible is a wait that others may end. Its lock is a leaf.
type interruptible struct {
	mu   sync.Mutex
	stop context.CancelCauseFunc // nil while nothing waits
}

// errHurry says that a wait was ended because the task is to end.
var errHurry = errors.New("the task is to end")

// begin returns the context of a wait, and what ends it.
func (w *interruptible) begin(ctx context.Context) (context.Context, func()) {
	ctx, stop := context.WithCancelCause(ctx)
	w.set(stop)
	return ctx, func() { w.set(nil); stop(nil) }
}

func (w *interruptible) set(stop context.CancelCauseFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stop = stop
}

// interrupt ends the present wait, if there is one.
func (w *interruptible) interrupt() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stop != nil {
		w.stop(errHurry)
	}
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

// Kill ends an attempt: gently, unless it is frozen and could not answer. With a grace, why is what the
// task is told.
func (s *Slot) Kill(ctx context.Context, attempt uint64, grace time.Duration, why string) error {
	s.wait.interrupt() // processes that get no CPU to stop with would keep the gate for seconds
	s.gate.Lock()
	defer s.gate.Unlock()
	c := s.Client()
	if c == nil {
		return nil // its events are closed
	}
	if !s.Holds.Any() {
		return c.KillFor(attempt, grace, why)
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
