package hostctl

import (
	"path/filepath"
	"strings"
	"testing"

	"lull/subjects"
	"lull/subjects/spec"
)

// With a user a slot, tasks of different slots have no rights over each other, and the agent owns
// outputs as ever. A checkpoint moves with its task from slot to slot.
func TestEachSlotHasItsUser(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	cfg.Data, cfg.SlotUIDBase = filepath.Join(open(t), "d"), 64100
	h := w.host(cfg)
	w.Submit("long", spec.Stage{Argv: sh(`id -u > $LULL_CHECKPOINT/c; until [ -e ` + cfg.Data + `/go ]; do sleep 0.02; done; id -u > $LULL_OUT/id`)})
	w.Submit("short", spec.Stage{Argv: sh(`
		id -u > $LULL_OUT/id
		grep -ls LULL_JOB=long /proc/[0-9]*/environ >> $LULL_OUT/id; exit 0`)})
	first := h.assign("long", 0, 0, 0)
	next[*subjects.Started](w, nil)
	second := h.assign("short", 0, 0, 1)
	next[*subjects.Finished](w, nil)
	outputIs(t, h, second, "64101\n")
	w.Append(&subjects.Revoked{Host: "alpha", Job: "long", Attempt: first})
	next[*subjects.Evicted](w, nil)
	w.Submit("block", spec.Stage{Argv: sh(`until [ -e ` + cfg.Data + `/go ]; do sleep 0.02; done`)})
	h.assign("block", 0, 0, 0)
	next[*subjects.Started](w, nil)
	again := h.assign("long", 0, 0, 1)
	next(w, func(e *subjects.Started) bool { return e.Attempt == again })
	write(t, cfg.Data+"/go", "")
	next(w, func(e *subjects.Finished) bool { return e.Attempt == again })
	outputIs(t, h, again, "64101\n") // this slot's user can write the other's checkpoint only because it was handed over
}

func outputIs(t *testing.T, h *host, attempt uint64, want string) {
	t.Helper()
	f, ok := h.store.Find(attempt)
	if !ok {
		t.Fatalf("Find(%d) = false, want true", attempt)
	}
	if got := read(t, f.Out()+"/id"); got != want || owner(t, f.Out()+"/id") != 0 {
		t.Errorf("attempt %d says %q, want %q of root's", attempt, got, want)
	}
}

func TestUserASlotThatCannotBe(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	cfg.Data = filepath.Join(open(t), "d")
	cfg.SlotUIDBase, cfg.TaskUser = 64100, "root"
	if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), "slot uid base 64100") {
		t.Errorf("New() = %v, want an error on slot uid base 64100", err)
	}
}

// One file is bounded even where the disk has room for more.
func TestFilesAreBounded(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	cfg.FileSize = 2 << 20
	h := w.host(cfg)
	w.Submit("job", spec.Stage{Argv: sh("exec head -c 4M /dev/zero > $LULL_OUT/x")})
	h.assign("job", 0, 0, 0)
	if e, _ := next[*subjects.Failed](w, nil); e.Reason != subjects.ReasonSignal || !strings.Contains(e.Text, "2 MB") {
		t.Errorf("Failed = %+v, want a signal for more than 2 MB", e)
	}
}
