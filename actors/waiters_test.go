package actors

import "testing"

// TestEqualMessagesTakeOneVerdictEach has both verdicts in the log before the
// first of the two senders is heard of.
func TestEqualMessagesTakeOneVerdictEach(t *testing.T) {
	w := newWaiters(10)
	key := keyOf(Request{Subject: "s", Body: []byte("same")})
	for seq, verdict := range []string{"first", "second"} {
		w.arrived(uint64(seq), arrival{key, true})
		if to := w.settle(uint64(seq), []byte(verdict)); len(to) != 0 {
			t.Fatalf("nobody waits, yet %v are answered", to)
		}
	}
	for _, want := range []string{"first", "second"} {
		if got, known := w.add(key, "reply"); !known || string(got) != want {
			t.Errorf("got %q (%v), want %q", got, known, want)
		}
	}
	if got, known := w.add(key, "reply"); known {
		t.Errorf("a third sender was given %q", got)
	}
}
