package hostctl

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// A task reads its part of a URL on stdin and as a file, like any other input.
func TestATaskReadsItsPartOfAURL(t *testing.T) {
	const text = "one\ntwo\nthree\nfour\n"
	written := time.Unix(1_700_000_000, 0)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", written, strings.NewReader(text))
	}))
	t.Cleanup(s.Close)
	whole := spec.Range{Path: s.URL + "/words.txt", Size: 19, MTime: written.UnixNano()}
	first, second, changed := whole, whole, whole
	first.Length, second.Offset, second.Length, changed.Length, changed.MTime = 6, 6, 13, 19, 1e9
	w, dir := newWorld(t), t.TempDir()
	cfg := w.config("a")
	cfg.TaskWrite = []string{dir}
	h := w.host(cfg)
	w.Submit("j", spec.Stage{
		Argv: sh(`{ cat; cat $(cat "$LULL_INPUT_LIST"); basename $(cat "$LULL_INPUT_LIST"); echo $LULL_INPUT_OFFSET $LULL_INPUT_LENGTH; } >"` + dir + `/$LULL_TASK"`), Tasks: 3,
		Splits: []spec.Split{{Ranges: []spec.Range{first}}, {Ranges: []spec.Range{second}}, {Ranges: []spec.Range{changed}}},
	})
	for task, want := range []string{"one\ntwo\none\ntwo\nwords.txt\n0 8\n", "three\nfour\nthree\nfour\nwords.txt\n0 11\n"} {
		h.assign("j", 0, uint32(task), 0)
		e, _ := next[*subjects.Finished](w, nil)
		if got := read(t, filepath.Join(dir, uintText(uint64(task)))); got != want || e.In != int64(len(want)-len("words.txt\n0 8\n"))/2 {
			t.Errorf("task %d read %d bytes: %q, want %q", task, e.In, got, want)
		}
	}
	h.assign("j", 0, 2, 0)
	if e, _ := next[*subjects.Failed](w, nil); e.Reason != subjects.ReasonInput || !strings.Contains(e.Text, "changed since submission") {
		t.Errorf("a changed URL: %s: %s, want it failed for its input", e.Reason, e.Text)
	}
}
