package slotter

import (
	"fmt"
	"testing"
	"time"

	"lull/subjects"
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
	p.join("b", 1, 10, 1)
	reduce := tasks("reduce", 1)
	reduce.From = []spec.From{{Stage: 0}}
	p.submit("j", 0, tasks("map", 2), reduce)
	p.settle()
	if early := ask[subjects.OutputsAnswer](t, p, subjects.AskOutputs, &subjects.OutputsAsk{Job: "j"}); early.Error == "" {
		t.Error("outputs of a stage that is not complete are listed")
	}
	p.finish()
	got := ask[subjects.OutputsAnswer](t, p, subjects.AskOutputs, &subjects.OutputsAsk{Job: "j"})
	if len(got.Outputs) != 2 || len(got.Hosts) != 2 || got.Error != "" {
		t.Fatalf("got %+v", got)
	}
	second := got.Outputs[1]
	if from := got.Hosts[second.Host]; from != (subjects.Source{Host: "b", URL: "http://b", Token: "t"}) || second.Task != 1 {
		t.Errorf("task %d is at %+v", second.Task, from)
	}
	for _, wrong := range []subjects.OutputsAsk{{Job: "k"}, {Job: "j", Stage: 2}} {
		if got := ask[subjects.OutputsAnswer](t, p, subjects.AskOutputs, &wrong); got.Error == "" {
			t.Errorf("%+v is answered with %+v", wrong, got)
		}
	}
}

func TestManyOutputsComeInPages(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1000, 1e6, 1000)
	p.submit("j", 0, tasks("map", 4500))
	for p.a.state.Job("j").Live() {
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
		t.Errorf("the pages list %d outputs", len(seen))
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
		t.Error("hosts delete what a job wrote that has just finished, because of documents that were no jobs")
	}
}

func TestQuestionsThatCannotBeReadGetNoAnswer(t *testing.T) {
	p := newPool(t, Config{})
	if got := p.a.Answer(subjects.AskWanted, []byte{0xc1}); got != nil {
		t.Errorf("got % x: whoever asks would delete everything", got)
	}
	if got := p.a.Answer("the time", nil); got != nil {
		t.Errorf("got % x", got)
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
			t.Errorf("%T continues %q", e, got)
		}
	}
	if got := p.a.Trace(&subjects.Lost{Host: "a"}); got != "" {
		t.Errorf("a host's loss continues %q", got)
	}
}

// Another document under the job's id is void: hosts must run the one that the
// ledger accepted, which assignments name, also when the log keeps it no more.
func TestAssignmentsNameTheDocumentThatWasAccepted(t *testing.T) {
	p := newPool(t, Config{})
	p.submit("j", 0, tasks("first", 1))
	doc := p.a.state.Job("j").Seq
	p.submit("j", 0, tasks("second", 1))
	p.join("a", 1, 10, 1)
	for _, e := range p.settle() {
		if e, ok := e.(*subjects.Assigned); ok && e.Doc != doc {
			t.Errorf("document %d is to run, want %d", e.Doc, doc)
		}
	}
	got := ask[subjects.DocumentAnswer](t, p, subjects.AskDocument, &subjects.DocumentAsk{Job: "j", Seq: doc})
	if got.Submitted == nil || got.Submitted.Spec.Stages[0].Name != "first" {
		t.Errorf("the document is %+v", got)
	}
	for _, wrong := range []subjects.DocumentAsk{{Job: "k", Seq: doc}, {Job: "j", Seq: doc + 1}} {
		if got := ask[subjects.DocumentAnswer](t, p, subjects.AskDocument, &wrong); got.Error == "" {
			t.Errorf("%+v is answered with %+v", wrong, got)
		}
	}
}
