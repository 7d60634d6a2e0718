package harvest

import (
	"math"
	"testing"

	"lull/subjects/profile"
)

// With half of the work on servers that kill a third as many tasks an hour, no choice by patterns more than halves the kills.
func TestWhatPatternsCouldSave(t *testing.T) {
	all := []outcome{
		{grounds: map[ground]exposure{{pattern: profile.Constant}: {hours: 50, kills: 5}, {pattern: profile.Periodic, steered: true}: {hours: 100, kills: 30}}},
		{grounds: map[ground]exposure{{pattern: profile.Constant, steered: true}: {hours: 50, kills: 5}}},
	}
	if got := bestByPattern(all); math.Abs(got-2) > 1e-9 {
		t.Errorf("bestByPattern() = %v times fewer kills, want 2", got)
	}
	if e := exposed(all, func(at ground) bool { return at.steered }); e != (exposure{hours: 150, kills: 35}) {
		t.Errorf("exposed(steered jobs) = %v hours and %v kills, want 150 and 35", e.hours, e.kills)
	}
}
