package jetstream

import "testing"

// What is heard while the reader settles its debt must be looked for until it is
// there: it is heard before it is stored, and the next look anyway is seconds away.
func TestWhatIsHeardIsLookedFor(t *testing.T) {
	l := &leafReader{heard: make(chan struct{}, 1)}
	l.ring()
	l.debt.Store(0)
	l.await(t.Context())
	if l.debt.Load() < 1 {
		t.Error("the reader would look once, and then sleep")
	}
}
