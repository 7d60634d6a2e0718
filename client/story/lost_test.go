package story

import (
	"strings"
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

// The words about a folder that no host may write to are long, and the same for all attempts.
func TestAnObstacleOfAllAttemptsIsSaidOnce(t *testing.T) {
	const text = "user nobody may not write to /out"
	if why, detail := declineOf(&subjects.Declined{Reason: subjects.ReasonUnwritable, Text: text}); !strings.HasSuffix(why, ": "+text) || detail != "" {
		t.Errorf("declineOf(unwritable) = %q, %q, want the text in the reason", why, detail)
	}
	if why, detail := declineOf(&subjects.Declined{Reason: subjects.ReasonDisk, Text: text}); strings.Contains(why, text) || detail != ": "+text {
		t.Errorf("declineOf(disk) = %q, %q, want the text as detail", why, detail)
	}
}
