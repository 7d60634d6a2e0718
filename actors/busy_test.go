package actors

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// A burst of many writers ends with the server's next sync and is not reported; a
// flood lasts longer, and is.
func TestABusyServerIsToldWhenItLasts(t *testing.T) {
	lines := new(strings.Builder)
	s := &Shell{cfg: Config{Logger: slog.New(slog.NewTextHandler(lines, nil))}}
	busy := fmt.Errorf("%w: 429", ErrBusy)
	for s.hold.delay < holdBusy {
		s.full(busy)
		if !s.hold.on() {
			t.Fatalf("decisions go on at once, delay %v", s.hold.delay)
		}
	}
	if s.Healthy() != nil || lines.Len() > 0 {
		t.Errorf("a burst of %v is told: %v\n%s", holdBusy, s.Healthy(), lines)
	}
	for range 4 {
		s.full(busy)
	}
	if n := strings.Count(lines.String(), "ERROR"); n != 1 || s.Healthy() == nil || s.hold.delay != holdMax {
		t.Errorf("%d lines, health %v, delay %v\n%s", n, s.Healthy(), s.hold.delay, lines)
	}
	s.room()
	if s.Healthy() != nil || time.Until(s.hold.until) > 0 {
		t.Errorf("it took events again: health %v", s.Healthy())
	}
}
