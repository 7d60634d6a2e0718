package sim

import (
	"errors"
	"fmt"
	"time"

	"lull/actors"
	"lull/subjects"
)

// The pauses of actors.Shell after an append that found no room.
const (
	holdMin = 50 * time.Millisecond
	holdMax = 2 * time.Second
)

// flight is the one batch that is out.
type flight struct {
	fence uint64
	acked uint64 // sequence of its last event, 0 while unknown
}

// hold is a pause in deciding while the log takes nothing.
type hold struct {
	until, delay time.Duration // delay 0: not holding
}

func (h *hold) on(now time.Duration) bool   { return h.delay > 0 && now < h.until }
func (h *hold) over(now time.Duration) bool { return h.delay > 0 && now >= h.until }

func (h *hold) longer(now time.Duration) {
	h.delay = min(max(2*h.delay, holdMin), holdMax)
	h.until = now + h.delay
}

// append sends decisions as one batch, fenced on the replica's own term.
func (r *replica) append(events []subjects.Event) {
	batch, err := r.w.encode(events)
	if err != nil {
		r.fail(fmt.Errorf("a decision cannot be written: %w", err))
		return
	}
	f := &flight{fence: r.term()}
	r.flight = f
	var seq uint64
	r.carry(OpAppend, func() {
		r.w.author = author{r.who, f.fence}
		seq, err = r.w.append(batch, actors.Fence{Subject: r.led, Seq: f.fence})
		r.w.author = author{}
	}, func(refused error, lost bool) {
		r.appended(f, seq, outcome(err, refused, lost))
	})
}

// appended learns what became of the batch.
func (r *replica) appended(f *flight, seq uint64, err error) {
	if err == nil {
		f.acked, r.hold = seq, hold{}
		r.landed()
		return
	}
	r.flight, r.stirred = nil, true
	switch {
	case errors.Is(err, actors.ErrFenced):
		if !r.tenure.leads || r.tenure.led <= f.fence {
			r.lead(false)
		}
	case errors.Is(err, actors.ErrFull):
		r.hold.longer(r.w.now)
	default:
		r.doubt()
	}
}

// landed lets the next decision be made once the batch is folded.
func (r *replica) landed() {
	if f := r.flight; f != nil && f.acked != 0 && r.seq >= f.acked {
		r.flight = nil
	}
}
