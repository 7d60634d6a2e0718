package sim

import (
	"bytes"
	"testing"
	"time"

	"lull/subjects"
)

// Every reader gets the same event, so none of them may change it. An event that was never decoded
// must equal what a decoder would make of its bytes.
func TestActorsLeaveEventsAsTheyAre(t *testing.T) {
	s := small(7)
	s.Replicas = 2
	s.Faults = plan{begin: func(w *World) {
		w.keepBytes = true
		w.At(3*time.Minute, func() { w.Crash("slotter/0") })
		w.At(4*time.Minute, func() { w.Start("slotter/0") })
	}}
	w, err := newWorld(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	checked := 0
	for seq := w.bus.log.first; seq <= w.bus.log.end; seq++ {
		e := w.bus.log.at(seq)
		if e.body == nil {
			continue // it came before the bytes were kept
		}
		checked++
		again, err := subjects.Encode(w.pool(), e.Event)
		if err != nil || !bytes.Equal(again.Body, e.body) || again.Subject != e.subject {
			t.Fatalf("entry %d: Encode(%T) = %q, %x, %v, want what was appended: %q, %x", seq, e.Event, again.Subject, again.Body, err, e.subject, e.body)
		}
		decoded, err := subjects.Decode(w.pool(), e.subject, e.body)
		if err != nil {
			t.Fatalf("entry %d: Decode(%q, %x) = %v, want no error", seq, e.subject, e.body, err)
		}
		if again, err = subjects.Encode(w.pool(), decoded); err != nil || !bytes.Equal(again.Body, e.body) {
			t.Fatalf("entry %d: Encode(decoded %T) = %x, %v, want %x", seq, e.Event, again.Body, err, e.body)
		}
	}
	if checked < 100 {
		t.Errorf("entries whose bytes were kept = %d, want at least 100", checked)
	}
}
