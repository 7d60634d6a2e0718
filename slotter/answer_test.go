package slotter

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

func ask[A any](t *testing.T, p *pool, what string, question any) (answer A) {
	t.Helper()
	body, err := subjects.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	if err := subjects.Unmarshal(p.a.Answer(what, body), &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

func TestOutputsAreWhereTheyWereCommitted(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 10, 1)
	p.joinAhead("b", 1, 0, 10, 1, "rack=east", "gpu=yes")
	reduce := tasks("reduce", 1)
	reduce.From = []spec.From{{Stage: 0}}
	p.submit("j", 0, tasks("map", 2), reduce)
	p.settle()
	if early := ask[subjects.OutputsAnswer](t, p, subjects.AskOutputs, &subjects.OutputsAsk{Job: "j"}); early.Error == "" {
		t.Errorf("outputs of a stage that is not complete = %+v, want an error", early)
	}
	p.finish()
	got := ask[subjects.OutputsAnswer](t, p, subjects.AskOutputs, &subjects.OutputsAsk{Job: "j"})
	if len(got.Outputs) != 2 || len(got.Hosts) != 2 || got.Error != "" {
		t.Fatalf("Outputs(j) = %+v, want two outputs on two hosts", got)
	}
	second := got.Outputs[1]
	if from := got.Hosts[second.Host]; from != (subjects.OutputHost{Host: "b", URL: "http://b", Token: "t", Rack: "east"}) || second.Task != 1 {
		t.Errorf("output of task %d is on %+v, want task 1 on b", second.Task, from)
	}
	for _, wrong := range []subjects.OutputsAsk{{Job: "k"}, {Job: "j", Stage: 2}} {
		if got := ask[subjects.OutputsAnswer](t, p, subjects.AskOutputs, &wrong); got.Error == "" {
			t.Errorf("Outputs(%+v) = %+v, want an error", wrong, got)
		}
	}
}

func TestManyOutputsComeInPages(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1000, 1e6, 1000)
	p.submit("j", 0, tasks("map", 4500))
	for p.a.facts.Ledger.Job("j").Live() {
		p.turn()
		p.finish()
	}
	var seen []uint32
	for question := (subjects.OutputsAsk{Job: "j"}); ; {
		got := ask[subjects.OutputsAnswer](t, p, subjects.AskOutputs, &question)
		for _, o := range got.Outputs {
			seen = append(seen, o.Task)
		}
		if question.First = got.Next; got.Next == 0 {
			break
		}
	}
	if len(seen) != 4500 || seen[2000] != 2000 || seen[4499] != 4499 {
		t.Errorf("outputs on all pages = %d, want 4500 in order", len(seen))
	}
	one := ask[subjects.OutputsAnswer](t, p, subjects.AskOutputs, &subjects.OutputsAsk{Job: "j", First: 4200, Count: 1})
	if len(one.Outputs) != 1 || one.Outputs[0].Task != 4200 || one.Next != 0 {
		t.Errorf("Outputs(task 4200 alone) = %d outputs, next %d, want 1, 0", len(one.Outputs), one.Next)
	}
	var some []uint32 // a page looks at its own tasks alone, or listing them all would take their number squared
	for kept := range p.a.facts.Ledger.OutputsOf(p.a.facts.Ledger.Job("j"), 0, 4498, 9000) {
		some = append(some, kept.Task)
	}
	if !slices.Equal(some, []uint32{4498, 4499}) {
		t.Errorf("Outputs(from task 4498) = %v, want [4498 4499]", some)
	}
}

func TestOutputsAreWantedForADayAfterTheEnd(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 10, 1)
	p.submit("j", 0, tasks("one", 1))
	wanted := func() bool {
		got := ask[subjects.WantedAnswer](t, p, subjects.AskWanted, &subjects.WantedAsk{Jobs: []string{"unknown", "j"}})
		return len(got.Jobs) == 1 && got.Jobs[0] == "j"
	}
	if !wanted() {
		t.Error("a job that runs is not wanted")
	}
	p.settle()
	p.finish()
	p.settle()
	p.now = p.now.Add(23 * time.Hour)
	if p.decide(); !wanted() {
		t.Error("a job that ended 23 hours ago is not wanted")
	}
	p.now = p.now.Add(time.Hour)
	if p.decide(); wanted() {
		t.Error("a job that ended a day ago is still wanted")
	}
}

func TestRejectionsLeaveOutputsWanted(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 10, 1)
	p.submit("j", 0, tasks("one", 1))
	p.settle()
	p.finish()
	p.settle()
	for i := range 10_001 {
		p.say(&subjects.Rejected{Job: fmt.Sprint("r", i), Code: subjects.ReasonInvalid})
	}
	got := ask[subjects.WantedAnswer](t, p, subjects.AskWanted, &subjects.WantedAsk{Jobs: []string{"j"}})
	if len(got.Jobs) != 1 {
		t.Errorf("Wanted(a job that has just finished) = %v, want it listed, or hosts delete its outputs", got.Jobs)
	}
}

// A service of an earlier release ends its fold at what the host would say next.
func TestOutputsToKeepAreSentOnceAllServicesReadThem(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 10, 1)
	p.say(&subjects.Led{Actor: "admission", Partition: "all"})
	if got := ask[subjects.KeptAnswer](t, p, subjects.AskKept, &subjects.KeptAsk{Host: "a"}); got.Error == "" {
		t.Errorf("Kept(a) with an admission of an earlier release = %+v, want an error", got)
	}
	p.say(&subjects.Led{Actor: "admission", Partition: "all", Format: subjects.FormatMissing})
	if got := ask[subjects.KeptAnswer](t, p, subjects.AskKept, &subjects.KeptAsk{Host: "a"}); got.Error != "" {
		t.Errorf("Kept(a) = error %s, want none", got.Error)
	}
}

func TestAHostLearnsWhichOutputsToKeep(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1000, 1e6, 1000)
	p.join("b", 1, 10, 1)
	reduce := tasks("reduce", 1)
	reduce.From, reduce.Where = []spec.From{{Stage: 0}}, []string{"nobody=has"}
	p.submit("j", 0, tasks("map", 2500), reduce)
	p.submit("k", 0, tasks("map", 2500), reduce)
	p.submit("alone", 0, tasks("only", 10))
	for p.a.facts.Ledger.Job("k").Stages[0].Done < 2500 || p.a.facts.Ledger.Job("alone").Live() {
		p.turn()
		p.finish()
	}
	var seen []subjects.KeptOutput
	for question := (subjects.KeptAsk{Host: "a"}); ; {
		got := ask[subjects.KeptAnswer](t, p, subjects.AskKept, &question)
		seen = append(seen, got.Outputs...)
		if question.From = got.Next; got.Error != "" || got.Next == (subjects.KeptFrom{}) {
			break
		}
	}
	of := map[subjects.KeptOutput]bool{}
	for _, o := range seen {
		of[subjects.KeptOutput{Job: o.Job, TaskID: o.TaskID}] = true
		if state, attempt, _ := p.a.facts.Ledger.Job(o.Job).Stages[0].Task(o.Task); state != ledger.Done || attempt != o.Attempt || o.Stage != 0 {
			t.Fatalf("Kept() has %+v, whose task is in state %d by attempt %d, want it done by the output's", o, state, attempt)
		}
	}
	others := len(ask[subjects.KeptAnswer](t, p, subjects.AskKept, &subjects.KeptAsk{Host: "b"}).Outputs)
	if len(seen)+others != 5000 || len(of) != len(seen) || others == 0 {
		t.Errorf("a is to keep %d outputs (%d different ones), b %d; want 5000 in all", len(seen), len(of), others)
	}
	if got := ask[subjects.KeptAnswer](t, p, subjects.AskKept, &subjects.KeptAsk{Host: "c"}); got.Error == "" || !got.Unknown {
		t.Errorf("Kept(an unknown host) = %+v, want an error that says unknown", got)
	}
}

func TestQuestionsThatCannotBeReadGetNoAnswer(t *testing.T) {
	p := newPool(t, Config{})
	if got := p.a.Answer(subjects.AskWanted, []byte{0xc1}); got != nil {
		t.Errorf("Answer(wanted, garbage) = % x, want nil, or the host that asks deletes everything", got)
	}
	if got := p.a.Answer("the time", nil); got != nil {
		t.Errorf("Answer(the time) = % x, want nil", got)
	}
}

func TestDecisionsContinueTheirJobsTrace(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 10, 1)
	p.submit("j", 0, tasks("one", 1))
	for _, e := range []subjects.Event{
		&subjects.Assigned{Job: "j"}, &subjects.Revoked{Job: "j"}, &subjects.OutputLost{Job: "j"},
		&subjects.JobFinished{Job: "j"}, &subjects.JobFailed{Job: "j"},
	} {
		if got := p.a.Trace(e); got != "trace-j" {
			t.Errorf("Trace(%T) = %q, want trace-j", e, got)
		}
	}
	if got := p.a.Trace(&subjects.Lost{Host: "a"}); got != "" {
		t.Errorf("Trace(Lost) = %q, want none", got)
	}
}

// Another document under the job's id is void. Hosts must run the document that the
// ledger accepted and assignments name, also when the log no longer keeps it.
func TestAssignmentsNameTheDocumentThatWasAccepted(t *testing.T) {
	p := newPool(t, Config{})
	p.submit("j", 0, tasks("first", 1))
	doc := p.a.facts.Ledger.Job("j").Seq
	p.submit("j", 0, tasks("second", 1))
	p.join("a", 1, 10, 1)
	for _, e := range p.settle() {
		if e, ok := e.(*subjects.Assigned); ok && e.Doc != doc {
			t.Errorf("document %d is to run, want %d", e.Doc, doc)
		}
	}
	got := ask[subjects.DocumentAnswer](t, p, subjects.AskDocument, &subjects.DocumentAsk{Job: "j", Seq: doc})
	if got.Submitted == nil || got.Submitted.Spec.Stages[0].Name != "first" {
		t.Errorf("Document(j) = %+v, want stage first", got)
	}
	for _, wrong := range []subjects.DocumentAsk{{Job: "k", Seq: doc}, {Job: "j", Seq: doc + 1}} {
		if got := ask[subjects.DocumentAnswer](t, p, subjects.AskDocument, &wrong); got.Error == "" {
			t.Errorf("Document(%+v) = %+v, want an error", wrong, got)
		}
	}
}
