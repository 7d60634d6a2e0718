package story

import (
	"testing"

	"lull/subjects"
)

func TestAnEvictionSaysWhatWasLost(t *testing.T) {
	for want, e := range map[string]subjects.Evicted{
		"":                        {},
		"; 10 s of CPU work lost": {Run: subjects.Run{CPU: 10}},
		"; 3 s of CPU work lost, 7 s kept by its checkpoint": {Run: subjects.Run{CPU: 10}, Kept: 7},
	} {
		if got := lost(&e, "; "); got != want {
			t.Errorf("%+v: %q, want %q", e, got, want)
		}
	}
}
