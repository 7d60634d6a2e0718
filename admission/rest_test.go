package admission

import (
	"testing"
	"time"
)

// A rehearsal plays 1,500 tasks, and what is left counts as work. The whole job's time must not be added to that: 6,000 tasks
// of ten seconds take 15,000 s on four cores.
func TestWhatARehearsalLeavesCountsOnce(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	id := p.submit(6000, "24h").Job
	if got := p.predicted(id); got < 15_000*time.Second || got > 16_000*time.Second {
		t.Errorf("15,000 s on four cores: predicted %v, want 15000s to 16000s", got)
	}
}
