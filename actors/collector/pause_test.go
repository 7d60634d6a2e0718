package collector

import (
	"runtime/debug"
	"testing"
)

// percent returns the value of GOGC.
func percent() int {
	now := debug.SetGCPercent(100)
	debug.SetGCPercent(now)
	return now
}

func TestTheCollectorGoesOnAfterTheLastPause(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(70))
	first, second := Pause(), Pause()
	first()
	first() // only the first call counts
	if got := percent(); got != off {
		t.Errorf("GOGC after one of two pauses = %d, want %d", got, off)
	}
	second()
	if got := percent(); got != 70 {
		t.Errorf("GOGC after both pauses = %d, want the 70 of before", got)
	}
}

func TestAValueSetDuringAPauseStands(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(70))
	end := Pause()
	debug.SetGCPercent(55)
	end()
	if got := percent(); got != 55 {
		t.Errorf("GOGC after the pause = %d, want the 55 that was set during it", got)
	}
}
