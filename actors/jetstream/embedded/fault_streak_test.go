package embedded

import (
	"errors"
	"testing"
)

// A server that makes its streams on a slow disk looks faulty for a while, each
// time because of another stream. If that restarted it, it would never get ready.
func TestAStreamInTheMakingIsNoFault(t *testing.T) {
	var fault faultStreak
	for _, stream := range []string{"LOG", "INBOX", "OBJECTS"} {
		for range guardLooks - 1 {
			if fault.shouldRestart(errors.New(stream+" could not be recovered"), false) {
				t.Fatalf("shouldRestart(%s) = true before look %d, want time for it to be made", stream, guardLooks)
			}
		}
	}
}

func TestAFaultThatLastsRestartsTheServer(t *testing.T) {
	var fault faultStreak
	broken := errors.New("LOG has an I/O error")
	for look := 1; look <= guardLooks; look++ {
		if got := fault.shouldRestart(broken, false); got != (look == guardLooks) {
			t.Fatalf("look %d: shouldRestart = %v, want %v", look, got, look == guardLooks)
		}
	}
	if fault.shouldRestart(nil, false); fault.shouldRestart(broken, false) {
		t.Error("shouldRestart after a healthy look = true, want false")
	}
	if !fault.shouldRestart(broken, true) {
		t.Error("shouldRestart with a full disk = false, want true at once")
	}
}
