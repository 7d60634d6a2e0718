package core

import (
	"fmt"
	"testing"
	"time"

	"lull/actors"
)

// A burst of many writers ends with the server's next sync and is not reported; a
// flood lasts longer, and is.
func TestABusyServerIsReportedWhenItLasts(t *testing.T) {
	c, at := New(Config{}), Moment{}
	busy := fmt.Errorf("%w: 429", actors.ErrBusy)
	refuse := func() (effects int) {
		c.begin(at)
		c.holdDecisions(busy)
		if !c.hold.active(at) {
			t.Fatalf("decisions go on at once with delay %v, want them held", c.hold.delay)
		}
		at.Elapsed += c.hold.delay
		return len(c.out)
	}
	for c.hold.delay < holdBusy {
		if effects := refuse(); effects > 0 {
			t.Errorf("a burst is reported after %v, want it after %v", at.Elapsed, holdBusy)
		}
	}
	effects := 0
	for range 4 {
		effects += refuse()
	}
	if effects != 2 || c.hold.delay != holdMax {
		t.Errorf("%d effects, want a line and the health; delay %v", effects, c.hold.delay)
	}
	c.begin(at)
	c.liftLimits()
	if c.hold.active(at) || len(c.out) != 2 || at.Elapsed > 10*time.Second {
		t.Errorf("effects after it took events again = %v by %v, want two within 10s and decisions on", c.out, at.Elapsed)
	}
}
