package hostctl

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lull/hostctl/contain"
	"lull/subjects"
	"lull/subjects/spec"
)

// A host of one slot and one place ahead takes two tasks: one runs, one waits
// and begins when the first ends. It refuses what has no place.
func TestOneRunsOneWaitsTheRestIsDeclined(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	cfg.Slots, cfg.Ahead = 1, 1
	dir := t.TempDir()
	cfg.TaskWrite = []string{dir}
	h := w.host(cfg)
	w.Submit("job", spec.Stage{
		Argv:  sh("echo $LULL_TASK >> " + dir + "/order; [ $LULL_TASK = 1 ] || until [ -e " + dir + "/go ]; do sleep 0.01; done"),
		Tasks: 4,
	})
	first := h.assign("job", 0, 0, 0)
	if e, _ := next[*subjects.Started](w, nil); e.Attempt != first {
		t.Fatalf("Started = %+v, want attempt %d", e, first)
	}
	second := h.assign("job", 0, 1, 1)
	for task := uint32(2); task < 4; task++ {
		id := h.assign("job", 0, task, task)
		if e, _ := next[*subjects.Declined](w, nil); e.Attempt != id || e.Reason != subjects.ReasonSlot {
			t.Errorf("Declined = %+v, want attempt %d: there is no such place", e, id)
		}
	}
	if got, _ := os.ReadFile(dir + "/order"); strings.Contains(string(got), "1") {
		t.Errorf("tasks ran in the order %q, want the first alone", got)
	}
	write(t, dir+"/go", "")
	for _, id := range []uint64{first, second} {
		if e, _ := next[*subjects.Finished](w, nil); e.Attempt != id {
			t.Errorf("attempt %d finished, want %d", e.Attempt, id)
		}
	}
	if got := read(t, dir+"/order"); got != "0\n1\n" {
		t.Errorf("order of the tasks = %q, want 0, 1", got)
	}
}

// The shim of a slot takes the next task before the last one's end stands in
// the log, and each is committed.
func TestManyTasksPassThroughOneSlot(t *testing.T) {
	const ahead = 8
	w := newWorld(t)
	cfg := w.config("alpha")
	cfg.Slots, cfg.Ahead = 1, ahead
	h := w.host(cfg)
	w.Submit("job", spec.Stage{Argv: sh("echo $LULL_TASK > $LULL_OUT/n"), Tasks: 1 + ahead})
	given := map[uint64]uint32{}
	for task := range uint32(1 + ahead) {
		given[h.assign("job", 0, task, task)] = task
	}
	for finished := 0; finished <= ahead; {
		switch e, _ := next[subjects.Event](w, nil); e := e.(type) {
		case *subjects.Declined: // the slot got no CPU for so long: as the slotter would
			task := given[e.Attempt]
			given[h.assign("job", 0, task, task)] = task
		case *subjects.Finished:
			finished++
			f, ok := h.store.Find(e.Attempt)
			if want := uintText(uint64(given[e.Attempt])) + "\n"; !ok || read(t, f.Out()+"/n") != want {
				t.Errorf("attempt %d was not committed with %q", e.Attempt, want)
			}
		}
	}
}

// A slot commits for one attempt beside the one that it runs, not for more.
func TestTheNextTaskRunsWhileAnOutputIsCommitted(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	cfg.Slots, cfg.Ahead, cfg.FileSize, cfg.Sum = 1, 3, -1, []string{"/proc/self/exe", "sum"}
	h := w.host(cfg)
	if contain.ABI() == 0 {
		t.Skip("needs Landlock")
	}
	endless, brief := sh(writeEndless), []string{"/bin/true"}
	stages := []spec.Stage{{Name: "a", Argv: endless}, {Name: "b", Argv: brief}, {Name: "c", Argv: endless}}
	const waits = 10 // tasks that may wait for the place of c
	for i := range waits {
		stages = append(stages, spec.Stage{Name: fmt.Sprint("d", i), Argv: brief})
	}
	w.Submit("job", stages...)
	a, b := h.assign("job", 0, 0, 0), h.assign("job", 1, 0, 1)
	if e, _ := next[*subjects.Finished](w, nil); e.Attempt != b {
		t.Fatalf("Finished = %+v, want attempt %d", e, b)
	}
	c := h.assign("job", 2, 0, 2)
	eventually(t, "the second output is hashed, too", func() bool { return len(hashers(t)) == 2 })
	d := h.assign("job", 3, 0, 3)
	w.Append(&subjects.Revoked{Host: "alpha", Job: "job", Attempt: c})
	evicted, finished := false, false
	for stage := uint32(4); !finished; {
		e, _ := next(w, ends)
		switch e := e.(type) {
		case *subjects.Evicted:
			if evicted = true; e.Attempt != c {
				t.Fatalf("Evicted = %+v, want attempt %d revoked", e, c)
			}
		case *subjects.Declined: // where others want all CPU, c may take longer to end than a task waits
			d = h.assign("job", stage, 0, 3)
			stage++
		case *subjects.Finished:
			if finished = true; e.Attempt != d || !evicted {
				t.Fatalf("Finished = %+v, want attempt %d after %d was revoked", e, d, c)
			}
		}
	}
	w.Append(&subjects.Revoked{Host: "alpha", Job: "job", Attempt: a})
	if e, _ := next[*subjects.Evicted](w, nil); e.Attempt != a {
		t.Fatalf("Evicted = %+v, want attempt %d revoked", e, a)
	}
}

// ends reports whether an attempt ends with the event.
func ends(e subjects.Event) bool {
	switch e.(type) {
	case *subjects.Evicted, *subjects.Declined, *subjects.Finished:
		return true
	}
	return false
}

// A fence with a hole in it protects neither outputs nor inherited folders.
func TestTaskWriteToTheDataFolderOpensTheFence(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		below string // the data folder's parent
		whole bool
	}{{"elsewhere", true}, {"", false}, {"d", false}, {"d/test/jobs", false}} {
		cfg := w.config("alpha")
		folder := filepath.Join(filepath.Dir(cfg.Data), c.below)
		check(t, os.MkdirAll(folder, 0o755))
		cfg.TaskWrite = []string{folder}
		a, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		fenced := a.policy.Fences(a.store.Root())
		if fenced != (c.whole && a.policy.ABI > 0) {
			t.Errorf("--task-write %s, data in %s: fenced = %v, want %v", folder, cfg.Data, fenced, c.whole && a.policy.ABI > 0)
		}
		check(t, a.close(t.Context(), nil), a.store.Close())
	}
}
