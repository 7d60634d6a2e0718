package slots

import (
	"context"

	"lull/hostctl/shim"
)

// Expect returns where the events of an attempt will come. It is closed when
// the shim is lost.
func (s *Slot) Expect(attempt uint64) <-chan shim.Event {
	ch := make(chan shim.Event, 4) // Started, perhaps twice, and one end
	s.mu.Lock()
	s.mu.waiting[attempt], s.mu.task = ch, attempt
	s.mu.Unlock()
	return ch
}

// readEvents delivers the shim's events to the attempts that wait for them.
func (s *Slot) readEvents(c *shim.Client) {
	for e := range c.Events() {
		s.deliver(e)
	}
	s.recoverConnection(c)
}

// recoverConnection reconnects to a shim that lives and learns what became of its tasks since the
// connection was lost. The tasks of a shim that is gone are gone too.
func (s *Slot) recoverConnection(c *shim.Client) {
	s.gate.Lock()
	defer s.gate.Unlock()
	s.mu.Lock()
	if s.mu.client == c {
		s.mu.client = nil
	} else if s.mu.client != nil {
		s.mu.Unlock()
		return // another shim has taken its place
	}
	awaited := len(s.mu.waiting) > 0
	s.mu.Unlock()
	if awaited && !s.closed && s.reconnectLocked() == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, ch := range s.mu.waiting {
		close(ch)
		delete(s.mu.waiting, id)
	}
}

// reconnectLocked connects to the living shim again. s.gate is held.
func (s *Slot) reconnectLocked() error {
	ctx, stop := context.WithTimeout(context.Background(), launchPatience)
	defer stop()
	c, err := shim.Find(ctx, s.cfg)
	if err != nil {
		return err
	}
	hello := c.Hello()
	for _, e := range hello.Ended {
		s.deliver(e)
	}
	for _, e := range hello.Unstarted {
		s.deliver(e)
	}
	s.mu.Lock()
	s.mu.client = c
	for id, ch := range s.mu.waiting {
		if r := hello.Running; r == nil || r.Attempt != id {
			close(ch) // the shim does not know it
			delete(s.mu.waiting, id)
		}
	}
	frozen := s.Holds.Any()
	s.mu.Unlock()
	s.readers.Go(func() { s.readEvents(c) })
	if frozen {
		_ = s.setFrozenLocked(ctx, true)
	}
	return nil
}

func (s *Slot) deliver(e shim.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e := e.(type) {
	case *shim.Started:
		if ch := s.mu.waiting[e.Attempt]; ch != nil {
			ch <- e
		}
		if s.Holds.Any() && !s.CanFreeze && s.mu.client != nil {
			_ = s.mu.client.Pause(e.Attempt) // began after the others were stopped
		}
	case *shim.Exited:
		s.deliverEndLocked(e.Attempt, e)
	case *shim.StartFailed:
		s.deliverEndLocked(e.Attempt, e)
	}
}

// deliverEndLocked delivers an attempt's last event. s.mu is held.
func (s *Slot) deliverEndLocked(attempt uint64, e shim.Event) {
	if s.mu.task == attempt {
		s.mu.task = 0
	}
	if ch := s.mu.waiting[attempt]; ch != nil {
		ch <- e
		delete(s.mu.waiting, attempt)
	}
}
