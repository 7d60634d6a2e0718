package doctor

import (
	"lull/hostctl"
	"strings"
	"testing"
)

func TestDoctorNamesWhatTheHostHas(t *testing.T) {
	r, err := Examine(hostctl.Config{Data: t.TempDir() + "/not/made/yet"})
	if err != nil {
		t.Fatal(err)
	}
	if r.Cores < 1 || r.Memory < r.MemoryFree || r.MemoryFree <= 0 || r.DiskFree <= 0 {
		t.Errorf("report = %+v, want at least one core, memory and disk", r)
	}
	for _, want := range []string{"cores", "memory", "disk", "idle class", "protection", "freeze", "kill", "write fence", "task user", "shared memory", "preemption", "whole cores"} {
		if !strings.Contains(r.String(), want) {
			t.Errorf("the report does not speak of %q:\n%s", want, r)
		}
	}
}
