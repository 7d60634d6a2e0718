package embedded

import (
	"errors"
	"testing"
)

// A server that makes its streams on a slow disk looks ill for a while, each
// time because of another one. Restarted each time, it never got ready.
func TestAStreamInTheMakingIsNoIllness(t *testing.T) {
	var ill illness
	for _, stream := range []string{"LOG", "INBOX", "OBJECTS"} {
		for range guardLooks - 1 {
			if ill.believe(errors.New(stream+" could not be recovered"), false) {
				t.Fatalf("%s was not given the time to be made", stream)
			}
		}
	}
}

func TestAnIllnessThatLastsIsBelieved(t *testing.T) {
	var ill illness
	broken := errors.New("LOG has an I/O error")
	for look := 1; look <= guardLooks; look++ {
		if got := ill.believe(broken, false); got != (look == guardLooks) {
			t.Fatalf("look %d: believed %v", look, got)
		}
	}
	if ill.believe(nil, false); ill.believe(broken, false) {
		t.Error("health in between was forgotten")
	}
	if !ill.believe(broken, true) {
		t.Error("a full disk explains it at once")
	}
}
