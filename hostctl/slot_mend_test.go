package hostctl

import (
	"testing"

	"golang.org/x/sys/unix"

	"lull/subjects"
	"lull/subjects/spec"
)

// A slot whose cgroup somebody has removed declines one task, and runs the next.
func TestARemovedGroupCostsOneAttempt(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("alpha"))
	if !h.caps.Cap.OK() {
		t.Skip("needs cgroups")
	}
	w.submit("job", spec.Stage{Argv: []string{"true"}, Tasks: 3})
	h.assign("job", 0, 0, 0)
	next[*subjects.Finished](w, nil)
	for _, group := range h.slots[0].group.Joins() {
		_ = unix.Rmdir(group) // one that the slots share is in use
	}
	h.assign("job", 0, 1, 0)
	if e, _ := next[*subjects.Declined](w, nil); e.Reason != subjects.ReasonSlot {
		t.Errorf("%+v", e)
	}
	h.assign("job", 0, 1, 0)
	next[*subjects.Finished](w, nil)
}
