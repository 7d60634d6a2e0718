package core

import (
	"errors"
	"fmt"
	"time"

	"lull/actors"
	"lull/subjects"
)

// The pause after an append that found no room or no server.
const (
	holdMin  = 50 * time.Millisecond
	holdBusy = 8 * holdMin // the pause at which a busy server is reported
	holdMax  = 2 * time.Second
)

// flight is the one batch that is out. Nothing is decided before it has come
// back from the log or was refused.
type flight struct {
	behind uint64 // the last entry folded when it was sent; its events get higher sequences
	fence  uint64
	batch  []Draft
	sent   time.Duration
	acked  uint64 // sequence of its last event, 0 while unknown
}

// hold is a pause in deciding while the log takes nothing.
type hold struct {
	until, delay time.Duration // delay 0: not holding
}

// active reports whether decisions wait now, expired whether the pause has just ended.
func (h *hold) active(at Moment) bool  { return h.delay > 0 && at.Elapsed < h.until }
func (h *hold) expired(at Moment) bool { return h.delay > 0 && at.Elapsed >= h.until }

// lengthen begins a pause, twice as long as the last one.
func (h *hold) lengthen(at Moment) {
	h.delay = min(max(2*h.delay, holdMin), holdMax)
	h.until = at.Elapsed + h.delay
}

// append sends decisions as one atomic batch, fenced on our own term.
func (c *Core) append(events []subjects.Event) {
	if len(events) > actors.MaxBatch {
		c.failed = fmt.Errorf("%d events in one step: at most %d are one batch", len(events), actors.MaxBatch)
		return
	}
	batch, refused, err := c.fit(events)
	if c.failed = err; err != nil {
		return
	}
	if len(batch) > 0 {
		c.flight = &flight{fence: c.term(), batch: batch, sent: c.at.Elapsed, behind: c.seq}
		c.emit(Append{batch, actors.Fence{Subject: c.cfg.LedSubject, Seq: c.term()}})
	}
	if refused != nil {
		c.step(actors.Input{Refused: refused})
	}
}

// Appended is the outcome of an Append: the sequence of its last event, or why there is
// none, in the terms of actors.Bus.
func (c *Core) Appended(at Moment, seq uint64, err error) []Effect {
	c.begin(at)
	f := c.flight
	switch {
	case err != nil:
		c.flight, c.changed = nil, true
		c.notAppended(f, err)
	case seq <= f.behind:
		c.failed = c.cfg.lostTail(seq-uint64(len(f.batch)), f.behind, fmt.Sprintf("%s has read entry %d", c.cfg.Name, f.behind))
	default:
		f.acked = seq
		c.tenure.unknownOutcomes = 0
		c.liftLimits()
		c.endFlight()
	}
	return c.out
}

func (c *Core) notAppended(f *flight, err error) {
	switch {
	case errors.Is(err, actors.ErrFenced):
		c.endTerm(f)
	case errors.Is(err, actors.ErrFull), errors.Is(err, actors.ErrBusy):
		c.holdDecisions(err)
	case errors.Is(err, actors.ErrRefused):
		c.handleRefusedBatch(f, err)
	case errors.Is(err, actors.ErrBatches):
		c.sendSingly(err)
	default:
		// It may still arrive. A new term settles it: by the time our new Led
		// comes back the batch came back too, or is refused for ever.
		c.emit(Unhealthy{"the outcome of a batch is unknown: " + err.Error(), Note{Warning, "the outcome of a batch is unknown; opening a new term", []any{"error", err}}})
		c.suspendTerm()
		c.backOff()
	}
}

// endFlight permits the next decision once the batch is folded. The echo often comes before the
// acknowledgement.
func (c *Core) endFlight() {
	if f := c.flight; f != nil && f.acked != 0 && c.seq >= f.acked {
		c.flight = nil
		c.emit(Landed{c.at.Elapsed - f.sent})
	}
}

// endTerm steps down, unless the newer Led is our own and folded already. The
// next claim finds out whether another instance leads or our Led was trimmed away.
func (c *Core) endTerm(f *flight) {
	if c.tenure.leads && c.tenure.lastLed > f.fence {
		return
	}
	c.note(Warning, "a batch was refused: its term is over", "term", f.fence)
	c.lead(false)
}

// sendSingly sends single events for a second, because they need no open batch in the server.
func (c *Core) sendSingly(err error) {
	c.emit(Unhealthy{err.Error(), Note{Warning, err.Error(), nil}})
	c.batchLimit = batchLimit{1, c.at.Elapsed + time.Second}
}

// holdDecisions delays further decisions. A busy server is reported only when it stays busy
// for several attempts: a burst of many writers ends with the server's next sync.
func (c *Core) holdDecisions(err error) {
	report := c.hold.delay == 0
	if errors.Is(err, actors.ErrBusy) {
		report = c.hold.delay == holdBusy
	}
	if report {
		c.note(Fault, "decisions are held back: "+err.Error())
		c.emit(Unhealthy{What: err.Error()})
	}
	c.hold.lengthen(c.at)
}

// liftLimits ends the pause for a full log, and the limit for a lack of batches: the log has
// accepted events.
func (c *Core) liftLimits() {
	if c.hold.delay != 0 {
		c.note(Info, "the log takes events again")
		c.hold = hold{}
		c.emit(Healthy{})
	}
	if c.batchLimit.most > 0 && c.at.Elapsed > c.batchLimit.until {
		c.batchLimit = batchLimit{}
		c.emit(Healthy{})
	}
}
