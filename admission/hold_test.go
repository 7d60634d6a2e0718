package admission

import (
	"testing"
	"time"
)

// A pool of one good slot and one where a task takes twenty times as long.
func uneven(t *testing.T) *driver {
	p := newDriver(t, Config{})
	p.join("good", 4)
	p.join("poor", 0.2)
	return p
}

func TestAFewTasksAreNotPredictedOnSlotsThatPoliciesLeaveEmpty(t *testing.T) {
	p := uneven(t)
	id := p.submit(6, "").Job // of ten seconds, on four good slots: two waves
	if got := p.predicted(id); got > 21*time.Second {
		t.Errorf("predicted %v, want at most 21s", got)
	}
}

func TestManyTasksUseEverySlot(t *testing.T) {
	p := uneven(t)
	id := p.submit(400, "").Job
	good := 100 * 10 * time.Second
	if got := p.predicted(id); got >= good || got < 900*time.Second {
		t.Errorf("predicted %v, want 900s to %v, which the good slots alone take", got, good)
	}
}

// When the good slots are taken for longer than a task takes on a poor one, it goes there.
func TestATaskDoesNotWaitForASlotThatIsTakenForLong(t *testing.T) {
	p := uneven(t)
	p.submitted([]byte("name: long\ndeadline: 4h\nstages:\n- {name: one, command: [\"true\"], tasks: 4, estimate: 2h}\n"))
	p.settle()
	id := p.submit(1, "").Job
	if got := p.predicted(id); got < 150*time.Second || got > 250*time.Second {
		t.Errorf("predicted %v on a slot of residual 0.05, want 150s to 250s", got)
	}
}
