package actors

import (
	"errors"
	"fmt"
	"time"

	"lull/subjects"
)

// The pause after an append that found no room or no server.
const (
	holdMin  = 50 * time.Millisecond
	holdBusy = 8 * holdMin // the pause at which the shell reports a busy server
	holdMax  = 2 * time.Second
)

// flight is the one batch that is out. Nothing is decided before it has come
// back from the log or was refused.
type flight struct {
	behind uint64 // the last entry folded when it was sent; its events get higher sequences
	fence  uint64
	batch  []draft
	sent   time.Time
	acked  uint64 // sequence of its last event, 0 while unknown
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
	if len(events) > MaxBatch {
		s.failed = fmt.Errorf("%d events in one step: at most %d are one batch", len(events), MaxBatch)
		return
	}
	batch, refused, err := s.fit(events)
	if s.failed = err; err != nil {
		return
	}
	if len(batch) > 0 {
		s.dispatch(batch)
	}
	if refused != nil {
		s.step(Input{Refused: refused})
	}
}

func (s *Shell) dispatch(batch []draft) {
	messages := make([]subjects.Message, len(batch))
	for i := range batch {
		messages[i] = batch[i].message
	}
	end := s.traceBatch(batch, messages)
	f := &flight{fence: s.term(), batch: batch, sent: time.Now(), behind: s.seq}
	s.flight = f
	s.spawn(func() {
		seq, err := s.cfg.Bus.Append(s.ctx, messages, Fence{s.cfg.LedSubject, f.fence})
		end(err)
		s.mail.post(func() { s.appended(f, seq, err) })
	})
}

// appended learns what became of the batch.
func (s *Shell) appended(f *flight, seq uint64, err error) {
	s.met.appended(len(f.batch), time.Since(f.sent), err)
	if err == nil && seq <= f.behind {
		s.failed = s.lostTail(seq-uint64(len(f.batch)), f.behind, fmt.Sprintf("%s has read entry %d", s.cfg.Name, f.behind))
		return
	}
	if err == nil {
		f.acked = seq
		s.tenure.unknown = 0
		s.room()
		s.landed()
		return
	}
	s.flight, s.stirred = nil, true
	switch {
	case s.ctx.Err() != nil:
	case errors.Is(err, ErrFenced):
		s.fenced(f)
	case errors.Is(err, ErrFull), errors.Is(err, ErrBusy):
		s.full(err)
	case errors.Is(err, ErrRefused):
		s.turnedDown(f, err)
	case errors.Is(err, ErrBatches):
		s.oneByOne(err)
	default:
		// It may still arrive. A new term settles it: by the time our new Led
		// comes back the batch came back too, or is refused for ever.
		if s.ail("the outcome of a batch is unknown: " + err.Error()) {
			s.cfg.Logger.Warn("the outcome of a batch is unknown; opening a new term", "error", err)
		}
		s.doubt()
		s.backOff()
	}
}

// landed lets the next decision be made once the batch is folded. The echo
// often comes before the acknowledgement.
func (s *Shell) landed() {
	if f := s.flight; f != nil && f.acked != 0 && s.seq >= f.acked {
		s.met.echoed(time.Since(f.sent))
		s.flight = nil
		s.noteInbox()
	}
}

// fenced steps down, unless the newer Led is our own and folded already. The
// next claim finds out whether another instance leads or our Led was trimmed away.
func (s *Shell) fenced(f *flight) {
	if s.tenure.leads && s.tenure.led > f.fence {
		return
	}
	s.cfg.Logger.Warn("a batch was refused: its term is over", "term", f.fence)
	s.lead(false)
}

// oneByOne sends single events for a second, which need no open batch.
func (s *Shell) oneByOne(err error) {
	if s.ail(err.Error()) {
		s.cfg.Logger.Warn(err.Error())
	}
	s.narrow = narrow{1, time.Now().Add(time.Second)}
}

// full delays further decisions. A busy server is reported only when it stays busy
// for several attempts: a burst of many writers ends with the server's next sync.
func (s *Shell) full(err error) {
	tell := s.hold.delay == 0
	if errors.Is(err, ErrBusy) {
		tell = s.hold.delay == holdBusy
	}
	if tell {
		s.cfg.Logger.Error("decisions wait: " + err.Error())
		s.ail(err.Error())
	}
	s.hold.longer()
}

// room ends the measures against a full log or a lack of batches: the log has
// accepted events.
func (s *Shell) room() {
	if s.hold.delay != 0 {
		s.cfg.Logger.Info("the log takes events again")
		s.hold = hold{}
		s.heal()
	}
	if s.narrow.most > 0 && time.Now().After(s.narrow.until) {
		s.narrow = narrow{}
		s.heal()
	}
}
