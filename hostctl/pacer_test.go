package hostctl

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lull/hostctl/pace"
	"lull/hostctl/pacing"
	"lull/subjects"
	"lull/subjects/spec"
)

// pacedTo says at what rate the tasks of job j are to read.
func (h *host) pacedTo(rate float64) {
	e := &subjects.Paced{Host: h.name, Job: "j", Term: h.term, Share: 0.5, Why: "share"}
	if rate > 0 {
		e.Rates = []subjects.Rate{{Rate: rate}}
	}
	h.w.Append(e)
}

// A paced task of an unknown kind gets the sine as its cap. Its Finished carries what it showed
// until then: here too little for a model.
func TestAPacedTaskIsCappedAndSaysWhatItShowed(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("a"))
	if !h.caps.Cap.OK() {
		t.Skip("needs a CPU quota for tasks")
	}
	dir := t.TempDir()
	w.Submit("j", spec.Stage{Argv: sh(`n=0; until test -e "` + dir + `/enough"; do n=$((n+1)); echo $n >> "$LULL_PROGRESS"; sleep 0.02; done`)})
	first := h.assign("j", 0, 0, 0)
	next[*subjects.Started](w, nil)
	h.pacedTo(1000)
	eventually(t, "the task is capped", func() bool { return h.slots.Caps.InForce(0) < 1 })
	write(t, filepath.Join(dir, "enough"), "")
	var shown *subjects.Identified
	for ended := false; !ended || shown == nil; { // in any order
		switch e, _ := next[subjects.Event](w, nil); e := e.(type) {
		case *subjects.Identified:
			shown = e
		case *subjects.Finished:
			ended = true
		}
	}
	if shown.Attempt != first || shown.Job != "j" || shown.Sample < 0.19 || !strings.Contains(shown.Refused, "too few") {
		t.Errorf("Identified = %+v, want attempt %d of j refused for too few samples", shown, first)
	}
}

// After a restart the host still has the models it identified. The next task of the kind is
// controlled with its model from the first sample on, and identifies nothing.
func TestARestartKeepsWhatWasIdentified(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("a")
	h := w.host(cfg)
	w.Submit("j", spec.Stage{Argv: sh("sleep 1000")})
	shown := &subjects.Identified{Host: "a", Job: "j", Fact: subjects.Fact{Term: h.term, Attempt: 1}, Model: "j", A: 0.1, B: 50e6, R2: 0.9, Sample: 0.2}
	w.Append(shown)
	other := *shown
	other.Model, other.Sample = "sampled otherwise", 2
	w.Append(&other)
	check(t, h.stop())
	again := w.host(cfg)
	again.assign("j", 0, 0, 0)
	again.pacedTo(10e6)
	eventually(t, "the task is driven", func() bool { return again.pacer.InControl("j") })
	if m, _ := again.pacer.ModelOf("j"); math.Abs(m.B-50e6) > 1 {
		t.Errorf("ModelOf(j) = %+v, want b = 50e6", m)
	}
	if _, known := again.pacer.ModelOf(other.Model); known {
		t.Errorf("ModelOf(%s) = true of a model from other samples, want false", other.Model)
	}
}

func TestPaceIsLifted(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("a"))
	if !h.caps.Cap.OK() {
		t.Skip("needs a CPU quota for tasks")
	}
	h.pacer.AddModel("j", pace.Model{A: 0, B: 50e6})
	w.Submit("j", spec.Stage{Argv: sh("sleep 1000")})
	h.assign("j", 0, 0, 0)
	h.pacedTo(10e6)
	eventually(t, "the task is capped", func() bool { return h.slots.Caps.InForce(0) < 1 })
	h.pacedTo(0)
	eventually(t, "the cap is lifted", func() bool { return h.slots.Caps.InForce(0) >= float64(cores()) })
}

func TestAnEndedTaskLeavesNoCap(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("a"))
	if !h.caps.Cap.OK() {
		t.Skip("needs a CPU quota for tasks")
	}
	h.pacer.AddModel("j", pace.Model{A: 0, B: 50e6})
	dir := t.TempDir()
	w.Submit("j", spec.Stage{Argv: sh(`until test -e "` + dir + `/enough"; do sleep 0.05; done`), Tasks: 2})
	h.pacedTo(10e6)
	h.assign("j", 0, 0, 0)
	eventually(t, "it has a cap before it has done anything", func() bool { return h.slots.Caps.InForce(0) < 1 })
	write(t, filepath.Join(dir, "enough"), "")
	next[*subjects.Finished](w, nil)
	if c := h.slots.Caps.InForce(0); c < float64(cores()) {
		t.Errorf("cap of its slot = %v cores, want all", c)
	}
}

// A pipe is fed through the shim, and the shim's count is the rate.
func TestWhatIsFedIsMeasured(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("a"))
	path := write(t, filepath.Join(t.TempDir(), "in"), strings.Repeat("a line of text\n", 100_000))
	whole := rangeOf(path, 1_500_000)
	ranges := make([]spec.Range, 10)
	for i := range ranges {
		ranges[i] = whole
	}
	w.Submit("j", spec.Stage{Argv: sh(`while read -r line; do :; done`), Splits: []spec.Split{{Ranges: ranges}}})
	at := h.assign("j", 0, 0, 0)
	next[*subjects.Started](w, nil)
	begin := time.Unix(1_700_000_000, 0)
	m := pacing.MeterOf(h.slots.All()[0], "/", at, "")
	first := m.Read(begin)
	if first.From != pacing.ByFeed {
		t.Fatalf("read from %v, want the shim's count", first.From)
	}
	m.Rate(begin)
	eventually(t, "the task has taken more", func() bool { return m.Read(begin).Total > first.Total })
	if rate := m.Rate(begin.Add(pace.Sample)); math.IsNaN(rate) || rate <= 0 {
		t.Errorf("Rate() = %v, want above 0", rate)
	}
}
