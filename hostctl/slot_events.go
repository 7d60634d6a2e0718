package hostctl

import (
	"lull/hostctl/shim"
)

// expect returns where the events of an attempt will come. It is closed when
// the shim is lost.
func (s *slot) expect(attempt uint64) <-chan shim.Event {
	ch := make(chan shim.Event, 4) // Started, perhaps twice, and one end
	s.mu.Lock()
	s.mu.waiting[attempt], s.mu.task = ch, attempt
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
		if ch := s.mu.waiting[e.Attempt]; ch != nil {
			ch <- e
		}
		if s.mu.frozen && !s.freezer && s.mu.client != nil {
			_ = s.mu.client.Pause(e.Attempt) // began after the others were stopped
		}
	case *shim.Exited:
		s.hand(e.Attempt, e)
	case *shim.StartFailed:
		s.hand(e.Attempt, e)
	}
}

// hand delivers an attempt's last event. s.mu is held.
func (s *slot) hand(attempt uint64, e shim.Event) {
	if s.mu.task == attempt {
		s.mu.task = 0
	}
	if ch := s.mu.waiting[attempt]; ch != nil {
		ch <- e
		delete(s.mu.waiting, attempt)
	}
}
