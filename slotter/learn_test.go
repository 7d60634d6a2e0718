package slotter

import (
	"fmt"
	"testing"

	"lull/subjects"
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
	if got := p.a.state.Model("j"); got != last || last.Samples < 50 {
		t.Errorf("the ledger holds %+v, the last fit is %+v", got, last)
	}
	j := p.a.jobs.bySeq
	if len(j) != 0 {
		t.Fatalf("%d jobs are left", len(j))
	}
}

func TestAModelChangesWhatIsExpected(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 1000, 1)
	p.submit("j", 0, tasks("one", 2))
	before := p.settle()[0].(*subjects.Assigned).Why.Expected
	p.say(&subjects.Fitted{Type: "j", A: 3, Low: 0.05, High: 1, Samples: 1e6})
	p.finish()
	after := p.settle()[0].(*subjects.Assigned).Why.Expected
	if before != 10 || after != 3 {
		t.Errorf("expected %v s by the estimate and %v s by the model, want 10 and 3", before, after)
	}
}

func TestOnlySoManyTypesAreRemembered(t *testing.T) {
	p := newPool(t, Config{})
	var s lessons
	for i := range maxTypes + 10 {
		s.of(p.a.state, fmt.Sprintf("type-%05d", i), uint64(i))
		s.of(p.a.state, "type-00000", uint64(i))
	}
	if len(s) != maxTypes {
		t.Errorf("%d types are kept, want %d", len(s), maxTypes)
	}
	_, used := s.find("type-00000")
	_, idle := s.find("type-00001")
	if !used || idle {
		t.Errorf("the type in use is kept: %v; the one that was idle longest is kept: %v", used, idle)
	}
}
