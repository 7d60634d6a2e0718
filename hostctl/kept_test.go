package hostctl

import (
	"os"
	"slices"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"lull/hostctl/store"
	"lull/subjects"
	"lull/subjects/spec"
)

// keeps makes the slotter count on all outputs of the first stage that the ledger has on host alpha.
func (w *world) keeps() {
	var all []subjects.KeptOutput
	j := w.Ledger.Job("job")
	for k := range w.Ledger.Needed(j, 0, w.Ledger.Host("alpha"), 0) {
		id := subjects.TaskID{Task: k.Task}
		all = append(all, subjects.KeptOutput{Job: "job", TaskID: id, Attempt: k.Attempt, Manifest: k.Manifest})
	}
	w.SetKept(all)
}

// remove takes an attempt's folder away, as a clean-up job would.
func (h *host) remove(t *testing.T, attempt uint64) (folder string) {
	t.Helper()
	f, ok := h.store.Find(attempt)
	if !ok {
		t.Fatalf("Find(%d) = false, want true", attempt)
	}
	if err := os.RemoveAll(f.Path); err != nil {
		t.Fatal(err)
	}
	return f.Path
}

// checkMissing waits for the host's report and, if there is a reader, for the end of its attempt:
// it is declined, which costs no retry. Either may come first.
func checkMissing(t *testing.T, w *world, attempt uint64, folder string) {
	t.Helper()
	e, _ := next[*subjects.OutputMissing](w, nil)
	for _, a := range slices.Concat(w.Ledger.Host("alpha").Attempts(), w.Ledger.Host("beta").Attempts()) {
		if d, _ := next[*subjects.Declined](w, nil); d.Attempt != a.ID || d.Reason != subjects.ReasonTransport {
			t.Errorf("Declined = %+v, want attempt %d for its input", d, a.ID)
		}
	}
	if e.Host != "alpha" || e.Attempt != attempt || e.Folder != folder || e.Job != "job" {
		t.Errorf("OutputMissing = %+v, want attempt %d in %s", e, attempt, folder)
	}
	if w.Ledger.Job("job").Stages[0].Done != 1 {
		t.Errorf("tasks done = %d, want 1, run again", w.Ledger.Job("job").Stages[0].Done)
	}
}

func TestAnOutputThatAnotherHostAsksForIsMissing(t *testing.T) {
	w := newWorld(t)
	cfg, metrics := w.config("alpha"), prometheus.NewPedanticRegistry()
	cfg.Registerer = metrics
	alpha, beta := w.host(cfg), w.host(w.config("beta"))
	id := mapReduce(w, alpha, beta)
	w.keeps()
	folder := alpha.remove(t, id)
	beta.assign("job", 1, 0, 1)
	checkMissing(t, w, id, folder)
	if n := metric(t, metrics, "lull_store_vanished_total"); n < 1 {
		t.Errorf("lull_store_vanished_total = %v, want at least 1", n)
	}
}

// metric is a counter's value.
func metric(t *testing.T, metrics prometheus.Gatherer, name string) (n float64) {
	t.Helper()
	families, err := metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			n += f.GetMetric()[0].GetCounter().GetValue()
		}
	}
	return n
}

func TestAnOutputThatItsOwnHostReadsIsMissing(t *testing.T) {
	for name, harm := range map[string]func(h *host, id uint64) string{
		"folder": func(h *host, id uint64) string { return h.remove(t, id) },
		"file": func(h *host, id uint64) string {
			f, _ := h.store.Find(id)
			if err := os.Remove(f.Out() + "/part-0"); err != nil {
				t.Fatal(err)
			}
			return f.Path
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			alpha, beta := w.host(w.config("alpha")), w.host(w.config("beta"))
			id := mapReduce(w, alpha, beta)
			w.keeps()
			folder := harm(alpha, id)
			alpha.assign("job", 1, 0, 1)
			checkMissing(t, w, id, folder)
		})
	}
}

// toPublish submits a job that publishes, runs its two tasks on alpha, and returns the first attempt.
func toPublish(w *world, results string) (h *host, first uint64) {
	w.Outputs = w.answer
	h = w.host(w.config("alpha"))
	w.host(w.config("beta"))
	w.SubmitTo("job", results,
		spec.Stage{Name: "count", Tasks: 2, Argv: sh("echo 1 > $LULL_OUT/a")},
		spec.Stage{Name: "publish", Publish: true, From: []spec.From{{Stage: 0}}})
	first = h.assign("job", 0, 0, 0)
	next[*subjects.Finished](w, nil)
	h.assign("job", 0, 1, 0)
	next[*subjects.Finished](w, nil)
	w.keeps()
	return h, first
}

// A missing output is noticed before the publisher starts, which is fed the outputs.
func TestAResultThatIsMissingIsNotPublished(t *testing.T) {
	w := newWorld(t)
	h, id := toPublish(w, t.TempDir()+"/results")
	f, _ := h.store.Find(id)
	if err := os.Remove(f.Out() + "/a"); err != nil {
		t.Fatal(err)
	}
	h.assign("job", 1, 0, 1)
	checkMissing(t, w, id, f.Path)
}

func TestAHostLooksAtWhatItKeepsWhenItJoins(t *testing.T) {
	for name, harm := range map[string]func(cfg *Config, h *host, id uint64){
		"the folder is gone":        func(_ *Config, h *host, id uint64) { h.remove(t, id) },
		"the agent has a new store": func(cfg *Config, _ *host, _ uint64) { cfg.Data = t.TempDir() },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			cfg := w.config("alpha")
			alpha, beta := w.host(cfg), w.host(w.config("beta"))
			id := mapReduce(w, alpha, beta)
			w.keeps()
			if err := alpha.stop(); err != nil {
				t.Fatal(err)
			}
			harm(&cfg, alpha, id)
			again := w.host(cfg)
			checkMissing(t, w, id, again.store.Folder(store.Task{Job: "job"}, id).Path)
		})
	}
}

// Readers may ask for anything: an output that the slotter does not count on is not reported.
func TestAReaderAloneProvesNothing(t *testing.T) {
	w := newWorld(t)
	alpha, beta := w.host(w.config("alpha")), w.host(w.config("beta"))
	id := mapReduce(w, alpha, beta)
	w.keeps()
	alpha.kept.Missed()
	if n, err := alpha.kept.CheckMissing(t.Context()); n != 0 || err != nil {
		t.Errorf("CheckMissing() of a host that has all = %d, %v, want 0", n, err)
	}
	w.SetKept(nil)
	alpha.remove(t, id)
	if n, err := alpha.kept.CheckMissing(t.Context()); n != 0 || err != nil {
		t.Errorf("CheckMissing() of outputs that no stage reads = %d, %v, want 0", n, err)
	}
}
