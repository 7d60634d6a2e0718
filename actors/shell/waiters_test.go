package shell

import (
	"fmt"
	"lull/actors"
	"strings"
	"testing"
)

// TestEqualMessagesTakeOneVerdictEach appends both verdicts to the log before the first of the two
// senders is known.
func TestEqualMessagesTakeOneVerdictEach(t *testing.T) {
	w := newWaiters(10)
	key := keyOf(&actors.Request{Subject: "s", Body: []byte("same")})
	for seq, verdict := range []string{"first", "second"} {
		w.arrived(uint64(seq), arrival{key, true})
		if to := w.settle(uint64(seq), []byte(verdict)); len(to) != 0 {
			t.Fatalf("settle() = %v, want none: no sender waits", to)
		}
	}
	for _, want := range []string{"first", "second"} {
		if got, known := w.add(key, "reply"); !known || string(got) != want {
			t.Errorf("add() = %q, %v, want %q, true", got, known, want)
		}
	}
	if got, known := w.add(key, "reply"); known {
		t.Errorf("add(a third sender) = %q, want nothing known", got)
	}
}

// Thousands of repeats of thousands of messages stay within waitersBytes.
func TestWaitersAreBoundedInBytes(t *testing.T) {
	w := newWaiters(maxWaiters)
	to := strings.Repeat("x", maxReply)
	for i := range 300 {
		key := messageKey{fmt.Sprint("id ", i), true}
		for range maxQueue + 1 {
			w.add(key, to)
		}
	}
	if w.replies.Bytes() > waitersBytes || w.replies.Len() == 0 {
		t.Errorf("%d bytes of %d messages wait, want at most %d bytes and at least one", w.replies.Bytes(), w.replies.Len(), waitersBytes)
	}
	if queue, _ := w.replies.Get("id 299"); len(queue) != maxQueue {
		t.Errorf("%d senders of the last message wait, want %d", len(queue), maxQueue)
	}
}
