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

// read hands the shim's events to the attempts that wait for them.
func (s *Slot) read(c *shim.Client) {
	for e := range c.Events() {
		s.deliver(e)
	}
	s.lost(c)
}

// lost learns from a shim that lives what came of its tasks since its connection
// was lost. The tasks of one that is gone are.
func (s *Slot) lost(c *shim.Client) {
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
	if awaited && !s.closed && s.find() == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, ch := range s.mu.waiting {
		close(ch)
		delete(s.mu.waiting, id)
	}
}

// find connects to the living shim again. s.gate is held.
func (s *Slot) find() error {
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
			close(ch) // it never heard of it
			delete(s.mu.waiting, id)
		}
	}
	frozen := s.mu.holds != 0
	s.mu.Unlock()
	s.readers.Go(func() { s.read(c) })
	if frozen {
		_ = s.stop(ctx, true)
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
		if s.mu.holds != 0 && !s.CanFreeze && s.mu.client != nil {
			_ = s.mu.client.Pause(e.Attempt) // began after the others were stopped
		}
	case *shim.Exited:
		s.hand(e.Attempt, e)
	case *shim.StartFailed:
		s.hand(e.Attempt, e)
	}
}

// hand delivers an attempt's last event. s.mu is held.
func (s *Slot) hand(attempt uint64, e shim.Event) {
	if s.mu.task == attempt {
		s.mu.task = 0
	}
	if ch := s.mu.waiting[attempt]; ch != nil {
		ch <- e
		delete(s.mu.waiting, attempt)
	}
}
