package hostctl

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"lull/hostctl/hostctltest"
	"lull/hostctl/store"
	"lull/subjects"
)

// flip changes the last byte of a file, which keeps its size.
func flip(t *testing.T, path string) {
	t.Helper()
	b := []byte(read(t, path))
	b[len(b)-1] ^= 1
	check(t, errors.Join(os.Chmod(path, 0o644), os.WriteFile(path, b, 0o644)))
}

func TestADamagedOutputIsMadeAgain(t *testing.T) {
	for name, c := range map[string]struct {
		local bool // its own host reads it
		harm  func(t *testing.T, f store.Folder)
	}{
		"another host reads a wrong byte":       {false, func(t *testing.T, f store.Folder) { flip(t, f.Out()+"/part-0") }},
		"another host reads a file that is cut": {false, func(t *testing.T, f store.Folder) { check(t, os.Truncate(f.Out()+"/part-0", 3)) }},
		"another host reads a wrong manifest":   {false, func(t *testing.T, f store.Folder) { flip(t, f.Path+"/manifest") }},
		"its host reads a file that is cut":     {true, func(t *testing.T, f store.Folder) { check(t, os.Truncate(f.Out()+"/part-0", 3)) }},
		"its host reads a wrong manifest":       {true, func(t *testing.T, f store.Folder) { flip(t, f.Path+"/manifest") }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			alpha, beta := w.host(w.config("alpha")), w.host(w.config("beta"))
			id := mapReduce(w, alpha, beta)
			w.keeps()
			f, _ := alpha.store.Find(id)
			c.harm(t, f)
			reader := beta
			if c.local {
				reader = alpha
			}
			reader.assign("job", 1, 0, 1)
			checkMissing(t, w, id, f.Path)
			if _, err := os.Stat(filepath.Join(alpha.store.Root(), "jobs/job/damaged", filepath.Base(f.Path), "out")); err != nil {
				t.Errorf("damaged output: %v, want it kept aside", err)
			}
		})
	}
}

func TestAResultThatIsDamagedIsNotPublished(t *testing.T) {
	w := newWorld(t)
	results := t.TempDir() + "/results"
	h, id := toPublish(w, results)
	f, _ := h.store.Find(id)
	flip(t, f.Out()+"/a")
	h.assign("job", 1, 0, 1)
	if e, _ := next[*subjects.OutputMissing](w, nil); e.Attempt != id || e.Folder != f.Path {
		t.Errorf("OutputMissing = %+v, want attempt %d in %s", e, id, f.Path)
	}
	if left, _ := os.ReadDir(results); len(left) > 0 {
		t.Errorf("published = %v, want nothing", left)
	}
	if n := w.Ledger.Job("job").Totals.Failed; n != 0 {
		t.Errorf("attempts failed = %d, want 0: publishing it costs no retry", n)
	}
}

// A reader may lie, or its own memory may be bad.
func TestAnOutputThatIsDoubtedForNothingStays(t *testing.T) {
	w := newWorld(t)
	alpha, beta := w.host(w.config("alpha")), w.host(w.config("beta"))
	id := mapReduce(w, alpha, beta)
	w.keeps()
	f, _ := alpha.store.Find(id)
	ticket, err := hostctltest.AskTicket(t.Context(), w.Bus, w.Bus.Pool().Ticket("alpha"))
	check(t, err)
	url := w.Ledger.Host("alpha").Joined.URL + "/v1/attempts/" + uintText(id) + "/manifest?damaged=1"
	if status, body := get(t, url, ticket.Ticket, ""); status != 202 || body != f.Path {
		t.Errorf("%d %q, want 202 and %s", status, body, f.Path)
	}
	if status, _ := get(t, url, "guess", ""); status != 401 {
		t.Errorf("a doubt without a ticket = %d, want 401", status)
	}
	alpha.kept.Doubt(id)
	if n, err := alpha.kept.CheckDoubts(t.Context()); n != 0 || err != nil {
		t.Errorf("CheckDoubts() = %d, %v, want 0 where outputs are right", n, err)
	}
	if _, found := alpha.store.Find(id); !found {
		t.Errorf("Find(%d) = false of a good output, want true", id)
	}
}

func TestAnOutputThatNoStageReadsIsNotVerified(t *testing.T) {
	w := newWorld(t)
	alpha, beta := w.host(w.config("alpha")), w.host(w.config("beta"))
	id := mapReduce(w, alpha, beta)
	f, _ := alpha.store.Find(id)
	flip(t, f.Out()+"/part-0")
	alpha.kept.Doubt(id)
	if n, err := alpha.kept.CheckDoubts(t.Context()); n != 0 || err != nil {
		t.Errorf("CheckDoubts() = %d, %v, want 0", n, err)
	}
	if _, found := alpha.store.Find(id); !found {
		t.Errorf("Find(%d) = false, want true: it was not damaged", id)
	}
}
