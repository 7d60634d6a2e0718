package admission

import (
	"strings"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
)

func TestAJobThatFitsIsAdmittedWithItsFinish(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	v := p.submit(8, "1m")
	if v.Verdict != "admitted" || v.Slack != 40 || v.Finish != p.now.Add(20*time.Second).UTC().Format(time.RFC3339) {
		t.Errorf("8 tasks of 10 s on 4 slots: %+v", v)
	}
}

func TestPredictionsRestOnWhatIsIdle(t *testing.T) {
	for _, c := range []struct {
		idle    float64
		verdict string
	}{{4, "admitted"}, {2, "admitted"}, {1.2, "rejected"}, {0, "rejected"}} {
		p := newDriver(t, Config{})
		p.join("a", c.idle)
		if v := p.submit(8, "1m"); v.Verdict != c.verdict {
			t.Errorf("%v idle cores: %+v", c.idle, v)
		}
	}
}

func TestARejectedJobIsAdmittedAtTheEarliestSafeDeadline(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.submit(8, "30s")
	v := p.submit(8, "35s")
	if v.Verdict != "rejected" || v.Code != subjects.ReasonDeadline {
		t.Fatalf("16 tasks of 10 s on 4 slots within 35 s: %+v", v)
	}
	if at, err := time.Parse(time.RFC3339, v.Earliest); err != nil || at.Before(p.now.Add(40*time.Second)) || at.After(p.now.Add(time.Minute)) {
		t.Errorf("earliest is %s: four waves take 40 s, and some variance", v.Earliest)
	}
	for _, number := range []string{"after its deadline", "8 tasks take 20 s", "behind 1 job of 20 s", "Assumed: a task of stage one takes 10 s on an idle core (as estimate: in the document says); 4.0 of 4 cores are idle", "late: run"} {
		if !strings.Contains(v.Text, number) {
			t.Errorf("the text does not say %q: %s", number, v.Text)
		}
	}
	if v := p.submit(8, v.Earliest); v.Verdict != "admitted" {
		t.Errorf("at that deadline it is %+v", v)
	}
}

func TestAnAdmissionMustNotHurtLaterDeadlines(t *testing.T) {
	for _, c := range []struct{ mode, verdict string }{{subjects.ModeAffected, "rejected"}, {subjects.ModeEq7, "admitted"}} {
		p := newDriver(t, Config{Mode: c.mode})
		p.join("a", 4)
		victim := p.submit(8, "34s")
		v := p.submit(8, "33s")
		if v.Verdict != c.verdict {
			t.Fatalf("mode %s: %+v", c.mode, v)
		}
		if v.Verdict == "rejected" && (v.Code != subjects.ReasonOthers || !strings.Contains(v.Text, victim.Job)) {
			t.Errorf("it does not say which job it would hurt: %+v", v)
		}
	}
}

func TestABrokenPromiseBlocksNoNewcomer(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.submit(40, "250s")
	p.use("a", 2) // now it takes 200 s
	p.pass(100 * time.Second)
	if v := p.submit(4, "30s"); v.Verdict != "admitted" {
		t.Errorf("got %+v", v)
	}
}

func TestJobsWithoutDeadlineComeLastAndAreAdmitted(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	if v := p.submit(4000, ""); v.Verdict != "admitted" {
		t.Fatalf("got %+v", v)
	}
	if v := p.submit(8, "30s"); v.Verdict != "admitted" {
		t.Errorf("a job without a deadline holds up one that has one: %+v", v)
	}
}

func TestSubmittedAndItsVerdictStandTogether(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.request(actors.Request{Body: job(1, "1m"), Trace: "trace", Client: "me"})
	events := p.decide()
	if len(events) != 2 {
		t.Fatalf("got %d events", len(events))
	}
	s, ok := events[0].(*subjects.Submitted)
	_, admitted := events[1].(*subjects.Admitted)
	if !ok || !admitted || s.Client != "me" || s.Deadline != p.now.Add(time.Minute).UnixNano() {
		t.Errorf("got %+v, then %T", events[0], events[1])
	}
	if p.a.Trace(events[0]) != "trace" || p.a.Trace(events[1]) != "trace" {
		t.Error("the events do not continue the submission's trace")
	}
}

func TestManyJobsAreJudgedInOneBatchOneAfterTheOther(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	var messages []uint64
	for range 700 {
		inbox, _ := p.request(actors.Request{Body: job(4, "35s")})
		messages = append(messages, inbox)
	}
	if n := len(p.decide()); n != actors.MaxBatch {
		t.Fatalf("a batch of %d", n)
	}
	p.settle()
	admitted := 0
	for _, inbox := range messages {
		if p.replies[inbox].Verdict == "admitted" {
			admitted++
		}
	}
	if admitted != 2 || len(p.replies) != 700 {
		t.Errorf("%d of %d are admitted, want 2: each takes 10 of 35 s, and the others' last tasks may take 10 more", admitted, len(p.replies))
	}
}

func TestADeadlineThatIsOver(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	v := p.submit(1, p.now.Add(-time.Minute).UTC().Format(time.RFC3339))
	if v.Code != subjects.ReasonPast || !strings.Contains(v.Text, "1m 00s") {
		t.Errorf("got %+v", v)
	}
}

func TestAJobThatNoHostCanEverRun(t *testing.T) {
	doc := func(what string) []byte { return append(job(1, ""), "  "+what+"\n"...) }
	for _, c := range []struct{ doc, text string }{
		{"cpu: 8", "stage one asks for 8 cores a task: the largest host that it may use has 4 slots"},
		{"memory: 64GB", "stage one asks for 64 GB of memory a task: the largest host that it may use gives 8.0 GB to batch work"},
		{"where: {zone: east}", "stage one asks for hosts with the labels zone=east: none of the 1 hosts carries them"},
	} {
		p := newDriver(t, Config{})
		p.join("a", 4, "zone=west")
		inbox, _ := p.request(actors.Request{Body: doc(c.doc)})
		p.settle()
		if v, said := p.replies[inbox]; said {
			t.Errorf("%s: %+v, before a host could be known that has just joined", c.doc, v)
		}
		p.now = p.now.Add(time.Second)
		p.settle()
		if v := p.replies[inbox]; v.Code != subjects.ReasonNoHost || v.Text != c.text {
			t.Errorf("%s: %+v", c.doc, v)
		}
	}
}

// A host joined before the job came, and its news comes after it.
func TestAHostWhoseNewsIsLate(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4, "zone=west")
	inbox, _ := p.request(actors.Request{Body: append(job(1, ""), "  where: {zone: east}\n"...)})
	p.settle()
	p.join("b", 4, "zone=east")
	p.settle()
	if v := p.replies[inbox]; v.Verdict != "admitted" {
		t.Errorf("%+v", v)
	}
}

func TestTheFirstHostIsWaitedFor(t *testing.T) {
	p := newDriver(t, Config{})
	inbox, _ := p.request(actors.Request{Body: job(1, "1m")})
	p.settle()
	if j := p.a.facts.Ledger.Jobs(); j.Len() != 1 || j.At(0).Phase != ledger.Submitted {
		t.Fatal("the job is not in the log while it waits for its verdict")
	}
	p.now = p.now.Add(3 * time.Second)
	p.say(&subjects.Joined{Host: "a", Cores: 4, Slots: 4, Memory: 8e9})
	if p.settle(); p.replies[inbox].Verdict != "" {
		t.Fatalf("a verdict before the host's first telemetry: %+v", p.replies[inbox])
	}
	p.use("a", 4)
	if p.settle(); p.replies[inbox].Verdict != "admitted" || p.replies[inbox].Slack != 47 {
		t.Errorf("got %+v", p.replies[inbox])
	}
}

func TestAHostThatNeverComes(t *testing.T) {
	p := newDriver(t, Config{})
	due, _ := p.request(actors.Request{Body: job(1, "1m")})
	free, _ := p.request(actors.Request{Body: job(1, "")})
	p.settle()
	out := p.a.Step(actors.Input{Now: p.now, Decide: true})
	if out.Wake.After(p.now.Add(10 * time.Second)) {
		t.Errorf("it wakes after %v", out.Wake.Sub(p.now))
	}
	p.now = p.now.Add(10 * time.Second)
	p.settle()
	if v := p.replies[due]; v.Code != subjects.ReasonNoHost || !strings.Contains(v.Text, "no host has joined yet") {
		t.Errorf("a job with a deadline: %+v", v)
	}
	if v := p.replies[free]; v.Verdict != "admitted" {
		t.Errorf("a job without: %+v", v)
	}
}

func TestAHostThatIsNotHeardOfCountsForNothing(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.join("b", 4)
	p.now = p.now.Add(31 * time.Second)
	p.use("a", 4)
	p.now = p.now.Add(10 * time.Second)
	p.use("a", 4)
	if v := p.submit(8, "15s"); v.Verdict != "rejected" {
		t.Errorf("a promise rests on a silent host: %+v", v)
	}
}

func TestModelsTakeThePlaceOfEstimates(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.say(&subjects.Fitted{Type: "job", A: 2, Low: 0.05, High: 1, Samples: 100})
	if v := p.submit(8, "6s"); v.Verdict != "admitted" || v.Slack != 2 {
		t.Errorf("8 tasks of 2 s on 4 slots: %+v", v)
	}
}

func TestAMarginIsKept(t *testing.T) {
	p := newDriver(t, Config{Margin: 0.5})
	p.join("a", 4)
	if v := p.submit(8, "25s"); v.Verdict != "rejected" {
		t.Errorf("20 s and a half more within 25 s: %+v", v)
	}
}

func TestAPausedPoolPromisesNothing(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.say(&subjects.PoolPaused{})
	if v := p.submit(1, "1h"); v.Code != subjects.ReasonDeadline || v.Earliest != "" || !strings.Contains(v.Text, "no host is expected to leave it any CPU") {
		t.Errorf("a job with a deadline: %+v", v)
	}
	if v := p.submit(1, ""); v.Verdict != "admitted" || v.Finish != "" {
		t.Errorf("a job without: %+v", v)
	}
}

func TestABadSecondIsNoReasonToReject(t *testing.T) {
	p := newDriver(t, Config{})
	p.say(&subjects.Joined{Host: "a", Cores: 4, Slots: 4, Memory: 8e9})
	p.use("a", 0.1)
	inbox, _ := p.request(actors.Request{Body: job(8, "1m")})
	if p.settle(); p.replies[inbox].Verdict != "" {
		t.Fatalf("a verdict on the first reading: %+v", p.replies[inbox])
	}
	p.now = p.now.Add(2 * time.Second)
	p.use("a", 4)
	if p.settle(); p.replies[inbox].Verdict != "admitted" {
		t.Errorf("got %+v", p.replies[inbox])
	}
}

func TestABusyHalfMinuteHardlyMovesAPromise(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.pass(5 * time.Minute)
	p.use("a", 0)
	p.pass(25 * time.Second)
	if v := p.submit(8, "40s"); v.Verdict != "admitted" {
		t.Errorf("after five idle minutes and a bad half: %+v", v)
	}
	p.pass(5 * time.Minute)
	if v := p.submit(8, "1h"); v.Verdict != "rejected" {
		t.Errorf("after five minutes without any CPU: %+v", v)
	}
}
