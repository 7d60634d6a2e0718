package hostctl

import (
	"testing"

	"lull/subjects"
	"lull/subjects/spec"
)

// Two tasks of half a core run at once in each slot, in shims of their own. A third part of a slot, and
// a whole task beside a half, are declined. When a half ends, another takes its place.
func TestTasksOfHalfACoreShareSlots(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	cfg.Slots, cfg.Ahead = 2, 1
	dir := t.TempDir()
	cfg.TaskWrite = []string{dir}
	h := w.host(cfg)
	w.Submit("job", spec.Stage{Argv: sh("until [ -e " + dir + "/go-$LULL_TASK ]; do sleep 0.02; done"), Tasks: 9, CPU: 1, Part: 500, Memory: 64 << 20})
	assign := func(task, slot, part uint32) uint64 {
		return w.Append(&subjects.Assigned{
			Host: "alpha", Job: "job", TaskID: subjects.TaskID{Task: task}, Term: h.term, Try: 1, Slot: slot, Width: 1, Part: part,
		})
	}
	runs := map[uint64]bool{}
	for task := range uint32(4) {
		runs[assign(task, task/2, 500)] = true
	}
	for len(runs) > 0 {
		e, _ := next[*subjects.Started](w, nil)
		if !runs[e.Attempt] {
			t.Fatalf("Started = %+v, want one of %v", e, runs)
		}
		delete(runs, e.Attempt)
	}
	for i, part := range []uint32{500, 0} {
		id := assign(4+uint32(i), 1, part)
		if e, _ := next[*subjects.Declined](w, nil); e.Attempt != id || e.Reason != subjects.ReasonSlot {
			t.Errorf("Declined = %+v, want attempt %d: its slot is full", e, id)
		}
	}
	write(t, dir+"/go-1", "")
	next[*subjects.Finished](w, func(e *subjects.Finished) bool { return e.Task == 1 })
	last := assign(6, 0, 500)
	if e, _ := next[*subjects.Started](w, nil); e.Attempt != last {
		t.Errorf("Started = %+v, want attempt %d", e, last)
	}
	for _, task := range []string{"0", "2", "3", "6"} {
		write(t, dir+"/go-"+task, "")
	}
	for range 4 {
		next[*subjects.Finished](w, nil)
	}
}
