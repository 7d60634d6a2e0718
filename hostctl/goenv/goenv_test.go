package goenv

import (
	"slices"
	"testing"
)

func TestNothingElseIsInherited(t *testing.T) {
	t.Setenv("SECRET", "x")
	t.Setenv(raceDetector, "atexit_sleep_ms=10")
	want := []string{"GOGC=25", "GOTRACEBACK=single", "GORACE=atexit_sleep_ms=10"}
	if got := Of("GOGC=25"); !slices.Equal(got, want) {
		t.Errorf("Of(GOGC=25) = %q, want %q", got, want)
	}
}
