package jobs

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lull/cmd/lull/interrupt"
)

// A cancel that admission does not answer, because the log has no room, does not keep an interrupted command for ever.
func TestACancelWithoutAnAnswerDoesNotKeepARun(t *testing.T) {
	interrupt.Listen(t.Context()).Stop() // the runtime's reader of signals starts outside of the bubble
	synctest.Test(t, func(t *testing.T) {
		on := interrupt.Listen(t.Context())
		defer on.Stop()
		var said strings.Builder
		begun := time.Now()
		leaveUnanswered(on, "a-1", silent{&said})
		if waited := time.Since(begun); waited != leaveAfter || !on.Twice() {
			t.Errorf("left after %v, as by a second signal: %v", waited, on.Twice())
		}
		if want := "a-1 is cancelled when it answers again"; !strings.Contains(said.String(), want) {
			t.Errorf("%q, want %q", said.String(), want)
		}
	})
}
