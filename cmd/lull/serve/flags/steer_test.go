package flags

import (
	"testing"

	"lull/slotter/steering"
)

func TestWeightsAreThreeNumbers(t *testing.T) {
	for text, want := range map[string]steering.Weights{"3,2,1": {3, 2, 1}, "1, 1, 1": {1, 1, 1}, "5,0,0": {5, 0, 0}} {
		var w steering.Weights
		if err := (*weights)(&w).Set(text); err != nil || w != want {
			t.Errorf("Set(%q) = %v, %v, want %v", text, w, err, want)
		}
	}
	for _, text := range []string{"", "3,2", "3,2,1,0", "a,b,c", "-1,2,3", "0,0,0", "1001,1,1", "1.5,1,1"} {
		if err := new(weights).Set(text); err == nil {
			t.Errorf("Set(%q) = nil, want an error", text)
		}
	}
}
