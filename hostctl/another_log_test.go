package hostctl

import (
	"os"
	"slices"
	"strings"
	"testing"

	"lull/hostctl/actor"
	"lull/subjects"
	"lull/subjects/spec"
)

// A pool's log was lost and made anew, so the same ids name other attempts. Running
// attempts of the old log are ended, and their outputs are not found.
func TestAttemptsOfAnotherLog(t *testing.T) {
	before := newWorld(t)
	cfg := before.config("alpha")
	cfg.Stay = true
	h := before.host(cfg)
	before.Submit("kept", spec.Stage{Argv: sh(`echo old > $LULL_OUT/file; echo old > $LULL_CHECKPOINT/c`)})
	kept := h.assign("kept", 0, 0, 0)
	next[*subjects.Finished](before, nil)
	before.Submit("stays", spec.Stage{Argv: sh(`exec sleep 300`), Name: "s"})
	stays := h.assign("stays", 0, 0, 1)
	started, _ := next(before, func(e *subjects.Started) bool { return e.Attempt == stays })
	if err := h.stop(); err != nil {
		t.Fatal(err)
	}

	after := newWorld(t)
	for range 3 { // so that the ids are the same
		after.Append(&subjects.PoolResumed{})
	}
	again := after.config("alpha")
	again.Data = cfg.Data
	h = after.host(again)
	after.Submit("new", spec.Stage{Argv: sh(`ls $LULL_CHECKPOINT > $LULL_OUT/file`)})
	if _, ok := h.store.Find(kept); ok {
		t.Errorf("Find(%d) = true of the log before, want false", kept)
	}
	id := h.assign("new", 0, 0, 0)
	next(after, func(e *subjects.Finished) bool { return e.Attempt == id })
	f, ok := h.store.Find(id)
	if !ok || !strings.Contains(f.Path, "/new/") || read(t, f.Out()+"/file") != "" {
		t.Errorf("attempt %d is at %s, want it below new with an empty checkpoint", id, f.Path)
	}
	if started.Attempt != stays {
		t.Fatalf("attempt %d started, want %d", started.Attempt, stays)
	}
	eventually(t, "the old task to be gone", func() bool {
		return !slices.ContainsFunc(h.attempts.Held(), func(held actor.Held) bool { return held.Attempt == stays })
	})
	if _, err := os.Stat(h.store.Root() + "/of-another-log/jobs/kept"); err != nil {
		t.Error(err)
	}
}
