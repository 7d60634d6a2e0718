package hostctl

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"lull/hostctl/cgroup"
	"lull/subjects"
	"lull/subjects/spec"
)

// A slot declines one task if another program has removed its cgroup, and runs the next.
func TestARemovedGroupCostsOneAttempt(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("alpha"))
	if !h.caps.Cap.OK() {
		t.Skip("needs a CPU quota for tasks")
	}
	w.Submit("job", spec.Stage{Argv: []string{"true"}, Tasks: 3})
	h.assign("job", 0, 0, 0)
	next[*subjects.Finished](w, nil)
	removeGroups(t, h.slots.All()[0].Group)
	h.assign("job", 0, 1, 0)
	if e, _ := next[*subjects.Declined](w, nil); e.Reason != subjects.ReasonSlot {
		t.Errorf("Declined = %+v, want it for the slot", e)
	}
	h.assign("job", 0, 1, 0)
	next[*subjects.Finished](w, nil)
}

// removeGroups removes the groups that are the slot's alone: one that slots share is in use.
// The kernel may still be taking the last task's threads out when it has been waited for.
func removeGroups(t *testing.T, slot *cgroup.Slot) {
	t.Helper()
	for _, group := range append(slot.Joins(), slot.Unified()) {
		if strings.HasPrefix(filepath.Base(group), "slot-") {
			eventually(t, "no process is in "+group+" any more", func() bool { return unix.Rmdir(group) == nil })
		}
	}
}
