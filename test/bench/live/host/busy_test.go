package host

import (
	"math"
	"testing"
)

func TestBusyIsAllButIdle(t *testing.T) {
	got, err := parseBusy("cpu  100 20 30 5000 600 7 8 9 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n")
	if err != nil || math.Abs(got-1.65) > 1e-9 {
		t.Errorf("parseBusy(1.65 s busy) = %v, %v, want 1.65", got, err)
	}
	for _, text := range []string{"", "cpu 1 2 3", "intr 1 2 3 4 5 6 7 8", "cpu a b c d e f g h"} {
		if _, err := parseBusy(text); err == nil {
			t.Errorf("parseBusy(%q) = nil error, want an error", text)
		}
	}
}
