package hostctl

import (
	"os"
	"path/filepath"
	"testing"

	"lull/hostctl/contain"
	"lull/subjects"
	"lull/subjects/spec"
)

// A task that runs as the agent's user reads neither the agent's folder nor a key, but its own files and all others.
func TestTasksReadNoSecrets(t *testing.T) {
	if contain.ABI() == 0 {
		t.Skip("needs Landlock")
	}
	w := newWorld(t)
	cfg := w.config("alpha")
	key, other := filepath.Join(t.TempDir(), "key"), filepath.Join(t.TempDir(), "other")
	cfg.Hide = []string{key}
	if os.Geteuid() == 0 {
		cfg.TaskUser = "root"
	}
	h := w.host(cfg)
	for _, path := range []string{key, other, filepath.Join(cfg.Data, "endpoint")} {
		write(t, path, filepath.Base(path)+"\n")
	}
	w.Submit("job", spec.Stage{Argv: sh(`echo own > $TMPDIR/own; cat $TMPDIR/own ` + other + ` ` + key + ` ` + cfg.Data + `/endpoint > $LULL_OUT/read; exit 0`)})
	id := h.assign("job", 0, 0, 0)
	next[*subjects.Finished](w, nil)
	f, _ := h.store.Find(id)
	if got := read(t, f.Out()+"/read"); got != "own\nother\n" {
		t.Errorf("the task read %q, want own and other", got)
	}
}
