package hostctl

import (
	"fmt"
	"io"
	"os"
	"testing"

	"lull/subjects"
	"lull/subjects/spec"
)

// copied is a copy of this program, which stands for an older release.
func copied(t *testing.T) string {
	t.Helper()
	from, err := os.Open("/proc/self/exe")
	check(t, err)
	defer from.Close() //nolint:errcheck // only read
	to, err := os.OpenFile(t.TempDir()+"/older", os.O_CREATE|os.O_WRONLY, 0o755)
	check(t, err)
	_, err = io.Copy(to, from)
	check(t, err, to.Close())
	return to.Name()
}

// An older shim lacks messages that a newer agent sends, and fixes that it relies on.
func TestAShimOfAnOlderProgramGivesWay(t *testing.T) {
	w := newWorld(t)
	older := w.config("alpha")
	older.Slots, older.Stay, older.Shim = 1, true, []string{copied(t), "shim"}
	first := w.host(older)
	flag := t.TempDir() + "/go"
	w.Submit("job", spec.Stage{Tasks: 2, Argv: sh(`echo begins; until [ -e ` + flag + ` ]; do sleep 0.01; done; echo $LULL_TASK > $LULL_OUT/x`)})
	first.assign("job", 0, 0, 0)
	next[*subjects.Started](w, nil)
	old := first.slots.All()[0].Client().PID()
	check(t, first.stop())

	newer := older
	newer.Shim, newer.Stay = nil, false
	second := w.host(newer)
	write(t, flag, "")
	if e, _ := next[*subjects.Finished](w, nil); e.Task != 0 {
		t.Errorf("Finished = %+v, want the older shim's task", e)
	}
	second.assign("job", 0, 1, 0)
	next[*subjects.Finished](w, nil)
	pid := second.slots.All()[0].Client().PID()
	runs, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	self, _ := os.Readlink("/proc/self/exe")
	if pid == old || err != nil || runs != self {
		t.Errorf("shim = process %d of %s (%v), want another than %d, of %s", pid, runs, err, old, self)
	}
	if err := os.Remove(older.Shim[0]); err != nil {
		t.Error(err)
	}
}
