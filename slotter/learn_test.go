package slotter

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

func TestFinishedTasksTeachTheTypesModel(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 10, 1000, 10)
	p.submit("j", 0, tasks("one", 100))
	var fits []*subjects.Fitted
	for range 12 {
		for _, e := range p.settle() {
			if f, ok := e.(*subjects.Fitted); ok {
				fits = append(fits, f)
			}
		}
		p.finish()
	}
	if len(fits) < 3 || len(fits) > 6 {
		t.Fatalf("100 samples made %d models, want one each time they double", len(fits))
	}
	last := fits[len(fits)-1]
	if got := p.a.facts.Ledger.Model("j"); got != last || last.Samples < 50 {
		t.Errorf("Model(j) = %+v, want the last fit, %+v", got, last)
	}
	j := p.a.facts.Jobs.BySeq
	if len(j) != 0 {
		t.Fatalf("jobs left = %d, want 0", len(j))
	}
}

func TestAModelChangesWhatIsExpected(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 1000, 1)
	p.submit("j", 0, tasks("one", 2))
	before := p.settle()[0].(*subjects.Assigned).Why
	p.say(&subjects.Fitted{Type: "j", A: 3, Low: 0.05, High: 1, Samples: 1e6})
	p.finish()
	after := p.settle()[0].(*subjects.Assigned).Why
	if before.Expected != 10 || after.Expected != 3 {
		t.Errorf("expected %v s by the estimate and %v s by the model, want 10 and 3", before.Expected, after.Expected)
	}
	if !before.Guessed || after.Guessed {
		t.Errorf("guessed is %v by the estimate and %v by the model, want true and false", before.Guessed, after.Guessed)
	}
}

// spin finishes one task after another of a job, each in so many seconds.
func (p *pool) spin(n int, seconds func(i int) float64) {
	for i := range n {
		p.settle()
		for _, h := range p.a.facts.Ledger.Hosts() {
			for _, at := range slices.Clone(h.Attempts()) {
				p.say(done(at, seconds(i)))
			}
		}
	}
	p.settle()
}

func TestEachStageHasAModelOfItsOwn(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 2, 1000, 2)
	reduce := tasks("two", 20)
	reduce.From = []spec.From{{Stage: 0}}
	p.submit("j", 0, tasks("one", 20), reduce)
	p.spin(30, func(i int) float64 { return 5 + 20*float64(i/10) })
	one, two := p.a.facts.Ledger.Model("j:one"), p.a.facts.Ledger.Model("j:two")
	if one == nil || two == nil || p.a.facts.Ledger.Model("j") != nil {
		t.Fatalf("models of j:one, j:two, j = %v, %v, %v, want two and nil", one, two, p.a.facts.Ledger.Model("j"))
	}
	if tct.Of(one).Seconds(1) > 6 || tct.Of(two).Seconds(1) < 20 {
		t.Errorf("a map takes %v s and a reduce %v, want 5 and 25", tct.Of(one).Seconds(1), tct.Of(two).Seconds(1))
	}
}

func TestAStageOfFewTasksHasAModelWhenItIsOver(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 1000, 1)
	p.submit("j", 0, tasks("one", 3))
	for i, want := range []uint32{0, 0, 3} {
		p.spin(1, func(int) float64 { return 4 })
		switch m := p.a.facts.Ledger.Model("j"); {
		case want == 0 && m != nil:
			t.Fatalf("Model(j) after %d of 3 tasks = %+v, want none", i+1, m)
		case want > 0 && (m == nil || m.Samples != want || tct.Of(m).Seconds(1) != 4):
			t.Fatalf("after the stage the model is %+v, want one of %d tasks that take 4 s", m, want)
		}
	}
}

func TestOnlyPredictionsOfAModelAreScored(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 1000, 1)
	p.submit("j", 0, tasks("one", 200)) // an estimate of ten seconds
	p.spin(40, func(int) float64 { return 2 })
	for i, s := range p.a.models.Window("j").Recent {
		if s.Expected != 0 && math.Abs(s.Expected-2) > 0.01 {
			t.Errorf("Expected of sample %d = %v s, want a model's prediction, and not the estimate", i, s.Expected)
		}
	}
	last := p.a.models.Window("j").Recent
	if last[len(last)-1].Expected == 0 {
		t.Error("Expected of the last sample = 0, want the model's prediction")
	}
}

func TestModelsThatAreFixedStay(t *testing.T) {
	p := newPool(t, Config{Models: ModelsFixed})
	p.join("a", 1, 1000, 1)
	told := &subjects.Fitted{Type: "j", A: 3, Low: 0.05, High: 1, Samples: 5}
	p.say(told)
	p.submit("j", 0, tasks("one", 100))
	p.spin(100, func(int) float64 { return 50 })
	if p.a.facts.Ledger.Model("j") != told {
		t.Errorf("Model(j) = %+v, want the fixed model, %+v", p.a.facts.Ledger.Model("j"), told)
	}
	if _, err := New(Config{Models: "guess"}); err == nil {
		t.Error("New(Models: guess) = nil error, want an error")
	}
}

func TestDriftAndItsEndAreLogged(t *testing.T) {
	p := newPool(t, Config{})
	hear := func() (said []string) {
		for _, action := range p.a.Step(actors.Input{Now: p.now, Decide: true}).Actions {
			said = append(said, fmt.Sprint(action))
		}
		return said
	}
	p.say(&subjects.Fitted{Type: "sort", A: 3, Low: 0.05, High: 1}, &subjects.Fitted{Type: "grep", A: 12, Low: 0.05, High: 1, Drift: true})
	if said := hear(); len(said) != 1 || !strings.Contains(said[0], "grep") || !strings.Contains(said[0], "12 s") {
		t.Fatalf("said = %q, want one line on grep and 12 s", said)
	}
	p.say(&subjects.Fitted{Type: "grep", A: 13, Low: 0.05, High: 1, Drift: true})
	if said := hear(); len(said) != 0 {
		t.Errorf("said the second time = %q, want nothing", said)
	}
	p.say(&subjects.Fitted{Type: "grep", A: 14, Low: 0.05, High: 1})
	if said := hear(); len(said) != 1 || !strings.Contains(said[0], "again") {
		t.Errorf("said when the drift ends = %q, want one line", said)
	}
}

func BenchmarkTeach(b *testing.B) {
	p := newPool(b, Config{})
	p.join("a", 1, 1000, 1)
	p.submit("j", 0, tasks("one", 100))
	p.settle()
	at := p.a.facts.Ledger.Host("a").Attempts()[0]
	run := &subjects.Finished{Run: subjects.Run{Seconds: 3, Residual: 0.7}}
	b.ReportAllocs()
	for b.Loop() {
		p.a.models.Teach(p.a.facts.Ledger, 9, at, run)
	}
}

func TestARefitReachesTheStagesThatPublish(t *testing.T) {
	p := newPool(t, Config{})
	work := tasks("one", 1)
	publish := spec.Stage{Name: "publish", Tasks: 1, CPU: 1, Memory: 1, Publish: true, From: []spec.From{{Stage: 0}}}
	p.submitSpec("j", 0, spec.Job{Name: "j", Type: "j", Output: "/out", Origin: "a", Stages: []spec.Stage{work, publish}})
	before := p.a.facts.Jobs.BySeq[0].Stages[1].Curve
	p.say(&subjects.Fitted{Type: spec.PublishModel, A: 7, Low: 0.05, High: 1, Samples: 1e6})
	if after := p.a.facts.Jobs.BySeq[0].Stages[1].Curve; after.Seconds(1) != 7 {
		t.Errorf("publishing is expected to take %v s, and %v s before, want 7", after.Seconds(1), before.Seconds(1))
	}
}
