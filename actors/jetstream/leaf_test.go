package jetstream

import "testing"

// A message is announced before it is stored. One that is announced while the reader
// settles its debt must be looked for until it is there: the next regular look is
// seconds away.
func TestWhatIsHeardIsLookedFor(t *testing.T) {
	l := &leafReader{announced: make(chan struct{}, 1)}
	l.ring()
	l.debt.Store(0)
	l.await(t.Context())
	if l.debt.Load() < 1 {
		t.Errorf("debt = %d, want at least 1, or the reader waits for leafIdle after one look", l.debt.Load())
	}
}
