package story

import (
	"testing"

	"lull/subjects"
)

func TestHostsThatLeaveTasksNoCPUAreShown(t *testing.T) {
	frozen := &subjects.Usage{Guarded: "frozen: the primary waits"}
	usage := map[string]*subjects.Usage{
		"a": {Cap: 4}, "b": frozen, "c": {Cap: 1, Guarded: "1 of 4 cores"}, "d": {}, // d has no guard
	}
	if got, want := Withheld(usage), "Now: host b gives tasks no CPU: frozen: the primary waits.\n"; got != want {
		t.Errorf("Withheld() = %q, want %q", got, want)
	}
	usage = map[string]*subjects.Usage{"a": frozen, "b": frozen, "c": frozen, "d": frozen, "e": frozen}
	want := "Now: host a gives tasks no CPU: frozen: the primary waits.\n" +
		"Now: host b gives tasks no CPU: frozen: the primary waits.\n" +
		"Now: host c gives tasks no CPU: frozen: the primary waits.\n" +
		"Now: 2 hosts more give tasks no CPU: see `lull hosts`.\n"
	if got := Withheld(usage); got != want {
		t.Errorf("Withheld() = %q, want %q", got, want)
	}
}
