package hostctl

import (
	"errors"
	"testing"

	"lull/subjects"
	"lull/subjects/spec"
)

func agentMain(string, string) error { return errors.New("not yet") }

func TestTaskRunsAndItsOutputIsCommitted(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("alpha"))
	w.submit("job", spec.Stage{Argv: sh("echo result > $LULL_OUT/r; sleep 0.1")})
	id := h.assign("job", 0, 0, 0)
	started, _ := next[*subjects.Started](w, nil)
	done, _ := next[*subjects.Finished](w, nil)
	if started.Attempt != id || done.Attempt != id || done.Files != 1 || done.Seconds < 0.1 {
		t.Errorf("started %+v, finished %+v; want attempt %d with one file after 0.1 s", started, done, id)
	}
	f, ok := h.store.Find(id)
	if !ok {
		t.Fatal("the committed attempt cannot be found")
	}
	if got := read(t, f.Out()+"/r"); got != "result\n" {
		t.Errorf("output is %q", got)
	}
}
