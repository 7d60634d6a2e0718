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
		t.Errorf("8 tasks of 10 s on 4 slots = %+v, want admitted with slack 40, ending in 20 s", v)
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
			t.Errorf("%v idle cores = %+v, want %s", c.idle, v, c.verdict)
		}
	}
}

func TestARejectedJobIsAdmittedAtTheEarliestSafeDeadline(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.submit(8, "30s")
	v := p.submit(8, "35s")
	if v.Verdict != "rejected" || v.Code != subjects.ReasonDeadline {
		t.Fatalf("16 tasks of 10 s on 4 slots within 35 s = %+v, want rejected for its deadline", v)
	}
	if at, err := time.Parse(time.RFC3339, v.Earliest); err != nil || at.Before(p.now.Add(40*time.Second)) || at.After(p.now.Add(time.Minute)) {
		t.Errorf("earliest = %s, want in 40 s to a minute: four waves and some variance", v.Earliest)
	}
	for _, number := range []string{"after its deadline", "8 tasks take 20 s", "behind 1 job of 20 s", "Assumed: a task of stage one takes 10 s on an idle core (as estimate: in the document says); 4.0 of 4 cores are idle", "late: run"} {
		if !strings.Contains(v.Text, number) {
			t.Errorf("text = %q, want %q in it", v.Text, number)
		}
	}
	if v := p.submit(8, v.Earliest); v.Verdict != "admitted" {
		t.Errorf("submit at the earliest deadline = %+v, want admitted", v)
	}
}

func TestAnAdmissionMustNotHurtLaterDeadlines(t *testing.T) {
	for _, c := range []struct{ mode, verdict string }{{subjects.ModeAffected, "rejected"}, {subjects.ModeEq7, "admitted"}} {
		p := newDriver(t, Config{Mode: c.mode})
		p.join("a", 4)
		victim := p.submit(8, "34s")
		v := p.submit(8, "33s")
		if v.Verdict != c.verdict {
			t.Fatalf("mode %s: submit(8, 33s) = %+v, want %s", c.mode, v, c.verdict)
		}
		if v.Verdict == "rejected" && (v.Code != subjects.ReasonOthers || !strings.Contains(v.Text, victim.Job)) {
			t.Errorf("rejected with %+v, want the job that it would hurt, %s", v, victim.Job)
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
		t.Errorf("submit(4, 30s) = %+v, want admitted", v)
	}
}

func TestJobsWithoutDeadlineComeLastAndAreAdmitted(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	if v := p.submit(4000, ""); v.Verdict != "admitted" {
		t.Fatalf("submit(4000, no deadline) = %+v, want admitted", v)
	}
	if v := p.submit(8, "30s"); v.Verdict != "admitted" {
		t.Errorf("submit(8, 30s) behind a job without a deadline = %+v, want admitted", v)
	}
}

func TestSubmittedAndItsVerdictStandTogether(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.request(actors.Request{Body: job(1, "1m"), Trace: "trace", Client: "me"})
	events := p.decide()
	if len(events) != 2 {
		t.Fatalf("events = %d, want 2", len(events))
	}
	s, ok := events[0].(*subjects.Submitted)
	_, admitted := events[1].(*subjects.Admitted)
	if !ok || !admitted || s.Client != "me" || s.Deadline != p.now.Add(time.Minute).UnixNano() {
		t.Errorf("events = %+v, %T, want submitted by me within 1m, and admitted", events[0], events[1])
	}
	if p.a.Trace(events[0]) != "trace" || p.a.Trace(events[1]) != "trace" {
		t.Errorf("traces of the events = %q, %q, want those of the submission", p.a.Trace(events[0]), p.a.Trace(events[1]))
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
		t.Fatalf("events in a batch = %d, want %d", n, actors.MaxBatch)
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
		t.Errorf("submit with a deadline a minute ago = %+v, want code %s", v, subjects.ReasonPast)
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
			t.Errorf("%s: %+v before a new host's telemetry, want no reply", c.doc, v)
		}
		p.now = p.now.Add(time.Second)
		p.settle()
		if v := p.replies[inbox]; v.Code != subjects.ReasonNoHost || v.Text != c.text {
			t.Errorf("%s: %+v, want code %s, %q", c.doc, v, subjects.ReasonNoHost, c.text)
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
		t.Errorf("reply = %+v, want admitted", v)
	}
}

func TestTheFirstHostIsWaitedFor(t *testing.T) {
	p := newDriver(t, Config{})
	inbox, _ := p.request(actors.Request{Body: job(1, "1m")})
	p.settle()
	if j := p.a.facts.Ledger.Jobs(); j.Len() != 1 || j.At(0).Phase != ledger.Submitted {
		t.Fatalf("jobs in the log = %d, want one, submitted, while it waits for its verdict", j.Len())
	}
	p.now = p.now.Add(3 * time.Second)
	p.say(&subjects.Joined{Host: "a", Cores: 4, Slots: 4, Memory: 8e9})
	if p.settle(); p.replies[inbox].Verdict != "" {
		t.Fatalf("reply before the host's first telemetry = %+v, want none", p.replies[inbox])
	}
	p.use("a", 4)
	if p.settle(); p.replies[inbox].Verdict != "admitted" || p.replies[inbox].Slack != 47 {
		t.Errorf("reply = %+v, want admitted with slack 47", p.replies[inbox])
	}
}

func TestAHostThatNeverComes(t *testing.T) {
	p := newDriver(t, Config{})
	due, _ := p.request(actors.Request{Body: job(1, "1m")})
	free, _ := p.request(actors.Request{Body: job(1, "")})
	p.settle()
	out := p.a.Step(actors.Input{Now: p.now, Decide: true})
	if out.Wake.After(p.now.Add(10 * time.Second)) {
		t.Errorf("wakes after %v, want at most 10s", out.Wake.Sub(p.now))
	}
	p.now = p.now.Add(10 * time.Second)
	p.settle()
	if v := p.replies[due]; v.Code != subjects.ReasonNoHost || !strings.Contains(v.Text, "no host has joined yet") {
		t.Errorf("reply to a job with a deadline = %+v, want code %s: no host has joined", v, subjects.ReasonNoHost)
	}
	if v := p.replies[free]; v.Verdict != "admitted" {
		t.Errorf("reply to a job without a deadline = %+v, want admitted", v)
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
		t.Errorf("submit(8, 15s) with one of two hosts silent = %+v, want rejected", v)
	}
}

func TestModelsTakeThePlaceOfEstimates(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.say(&subjects.Fitted{Type: "job", A: 2, Low: 0.05, High: 1, Samples: 100})
	if v := p.submit(8, "6s"); v.Verdict != "admitted" || v.Slack != 2 {
		t.Errorf("8 tasks of 2 s on 4 slots within 6 s = %+v, want admitted with slack 2", v)
	}
}

func TestAMarginIsKept(t *testing.T) {
	p := newDriver(t, Config{Margin: 0.5})
	p.join("a", 4)
	if v := p.submit(8, "25s"); v.Verdict != "rejected" {
		t.Errorf("20 s and a half more within 25 s = %+v, want rejected", v)
	}
}

func TestAPausedPoolPromisesNothing(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.say(&subjects.PoolPaused{})
	if v := p.submit(1, "1h"); v.Code != subjects.ReasonDeadline || v.Earliest != "" || !strings.Contains(v.Text, "no host is expected to leave it any CPU") {
		t.Errorf("paused: submit(1, 1h) = %+v, want rejected, with no earliest deadline", v)
	}
	if v := p.submit(1, ""); v.Verdict != "admitted" || v.Finish != "" {
		t.Errorf("paused: submit(1, no deadline) = %+v, want admitted without a finish", v)
	}
}

func TestABadSecondIsNoReasonToReject(t *testing.T) {
	p := newDriver(t, Config{})
	p.say(&subjects.Joined{Host: "a", Cores: 4, Slots: 4, Memory: 8e9})
	p.use("a", 0.1)
	inbox, _ := p.request(actors.Request{Body: job(8, "1m")})
	if p.settle(); p.replies[inbox].Verdict != "" {
		t.Fatalf("reply on the first reading = %+v, want none", p.replies[inbox])
	}
	p.now = p.now.Add(2 * time.Second)
	p.use("a", 4)
	if p.settle(); p.replies[inbox].Verdict != "admitted" {
		t.Errorf("reply on the second reading = %+v, want admitted", p.replies[inbox])
	}
}

func TestABusyHalfMinuteHardlyMovesAPromise(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.pass(5 * time.Minute)
	p.use("a", 0)
	p.pass(25 * time.Second)
	if v := p.submit(8, "40s"); v.Verdict != "admitted" {
		t.Errorf("submit(8, 40s) after five idle minutes and a bad half = %+v, want admitted", v)
	}
	p.pass(5 * time.Minute)
	if v := p.submit(8, "1h"); v.Verdict != "rejected" {
		t.Errorf("submit(8, 1h) after five minutes without any CPU = %+v, want rejected", v)
	}
}
