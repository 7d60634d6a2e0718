package actors

import (
	"errors"
	"fmt"
	"time"

	"lull/subjects"
)

// The pause after an append that found no room or no server.
const (
	holdMin = 50 * time.Millisecond
	holdMax = 2 * time.Second
)

// flight is the one batch that is out. Nothing is decided before it has come
// back from the log or was refused.
type flight struct {
	fence uint64
	sent  time.Time
	acked uint64 // sequence of its last event, 0 while unknown
}

// hold is a pause in deciding while the log takes nothing.
type hold struct {
	until time.Time
	delay time.Duration // 0: not holding
}

func (h *hold) on() bool   { return h.delay > 0 && time.Now().Before(h.until) }
func (h *hold) over() bool { return h.delay > 0 && !time.Now().Before(h.until) }

func (h *hold) longer() {
	h.delay = min(max(2*h.delay, holdMin), holdMax)
	h.until = time.Now().Add(h.delay)
}

// append sends decisions as one atomic batch, fenced on our own term.
func (s *Shell) append(events []subjects.Event) {
	batch, err := s.encode(events)
	if err != nil {
		s.failed = fmt.Errorf("a decision cannot be written: %w", err)
		return
	}
	end := s.traceBatch(events, batch)
	f := &flight{fence: s.term(), sent: time.Now()}
	s.flight = f
	s.spawn(func() {
		seq, err := s.cfg.Bus.Append(s.ctx, batch, Fence{s.cfg.LedSubject, f.fence})
		end(err)
		s.mail.post(func() { s.appended(f, len(batch), seq, err) })
	})
}

func (s *Shell) encode(events []subjects.Event) ([]subjects.Message, error) {
	if len(events) > MaxBatch {
		return nil, fmt.Errorf("%d events in one step: at most %d are one batch", len(events), MaxBatch)
	}
	batch := make([]subjects.Message, len(events))
	for i, event := range events {
		message, err := subjects.Encode(s.cfg.Bus.Pool(), event)
		if err != nil {
			return nil, err
		}
		if !Match(s.cfg.Filter, message.Subject) {
			return nil, fmt.Errorf("%s does not match Filter %q: its echo would never be seen", message.Subject, s.cfg.Filter)
		}
		batch[i] = message
	}
	return batch, nil
}

// appended learns what became of the batch.
func (s *Shell) appended(f *flight, events int, seq uint64, err error) {
	s.met.appended(events, time.Since(f.sent), err)
	if err == nil {
		f.acked = seq
		s.room()
		s.landed()
		return
	}
	s.flight, s.stirred = nil, true
	switch {
	case s.ctx.Err() != nil:
	case errors.Is(err, ErrFenced):
		s.fenced(f)
	case errors.Is(err, ErrFull):
		s.full(err)
	default:
		// It may still arrive. A new term settles it: by the time our new Led
		// comes back the batch came back too, or is refused for ever.
		s.cfg.Logger.Warn("the outcome of a batch is unknown; opening a new term", "error", err)
		s.doubt()
	}
}

// landed lets the next decision be made once the batch is folded. The echo
// often comes before the acknowledgement.
func (s *Shell) landed() {
	if f := s.flight; f != nil && f.acked != 0 && s.seq >= f.acked {
		s.met.echoed(time.Since(f.sent))
		s.flight = nil
	}
}

// fenced steps down, unless the newer Led is our own and folded already.
func (s *Shell) fenced(f *flight) {
	if s.tenure.leads && s.tenure.led > f.fence {
		return
	}
	s.cfg.Logger.Warn("a batch was refused: another instance has opened a term", "term", f.fence)
	s.lead(false)
}

func (s *Shell) full(err error) {
	if s.hold.delay == 0 {
		s.cfg.Logger.Error("decisions wait: " + err.Error())
		s.ail(err.Error())
	}
	s.hold.longer()
}

func (s *Shell) room() {
	if s.hold.delay != 0 {
		s.cfg.Logger.Info("the log takes events again")
		s.hold = hold{}
		s.heal()
	}
}
