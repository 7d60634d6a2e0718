package admission

import (
	"strings"
	"testing"
	"time"

	"lull/actors"
	"lull/admission/inbox"
	"lull/subjects"
	"lull/subjects/ledger"
)

func TestAnInvalidJobIsRejectedWithItsPlace(t *testing.T) {
	p := newDriver(t, Config{})
	inbox, out := p.request(actors.Request{Body: []byte("name: job\nstagges: []\n")})
	p.settle()
	v := p.replies[inbox]
	if v.Code != subjects.ReasonInvalid || !strings.Contains(v.Text, "line 2") || out.Quarantine != "" {
		t.Errorf("reply to a bad document = %+v, quarantine %q, want invalid at line 2, none", v, out.Quarantine)
	}
	if p.a.InboxFrom() != inbox {
		t.Errorf("InboxFrom() = %d, want %d", p.a.InboxFrom(), inbox)
	}
}

func TestBytesOfNoDocumentGoToQuarantine(t *testing.T) {
	p := newDriver(t, Config{})
	for _, r := range []actors.Request{
		{Body: []byte{0xff, 0xfe, 0x00}},
		{Body: []byte{0xdf, 0xff, 0xff, 0xff, 0xff}},
		{Subject: subjects.DefaultPool.Request("cancel"), Body: []byte("cancel it")},
		{Subject: subjects.DefaultPool.Request("explode"), Body: []byte(`{"job":"j"}`)},
	} {
		inbox, out := p.request(r)
		if out.Quarantine == "" || p.replies[inbox].Verdict != "refused" {
			t.Errorf("request % x: quarantine %q, reply %+v, want a quarantine, refused", r.Body, out.Quarantine, p.replies[inbox])
		}
	}
	if events := p.settle(); len(events) != 0 {
		t.Errorf("decided for garbage: %d events, want none", len(events))
	}
}

func TestAMessageThatComesAgainIsTheSameJob(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	r := actors.Request{Subject: subjects.DefaultPool.Submit(), Body: job(1, ""), Client: "me", MessageID: "one"}
	if _, known := p.a.Recall(r); known {
		t.Error("Recall before the verdict found one, want none")
	}
	first, _ := p.request(r)
	p.settle()
	again, _ := p.request(r)
	p.settle()
	if p.a.facts.Ledger.Jobs().Len() != 1 || p.replies[again] != p.replies[first] {
		t.Errorf("reply to a message, to its repeat = %+v, %+v, want the same and one job", p.replies[first], p.replies[again])
	}
	if v, known := p.a.Recall(r); !known || v != p.replies[first] {
		t.Errorf("Recall after the verdict = %+v, want %+v", v, p.replies[first])
	}
	other := r
	other.Body = job(2, "")
	third, _ := p.request(other)
	p.settle()
	if p.replies[third].Code != subjects.ReasonDuplicate {
		t.Errorf("another job under the same message id = %+v, want a duplicate", p.replies[third])
	}
	if p.a.InboxFrom() != first {
		t.Errorf("InboxFrom() after repeats = %d, want %d: they are not in the log", p.a.InboxFrom(), first)
	}
}

func TestRepeatsWhileAVerdictWaitsHearItToo(t *testing.T) {
	p := newDriver(t, Config{})
	r := actors.Request{Body: job(1, "1m"), Client: "me", MessageID: "one"}
	first, _ := p.request(r)
	p.settle()
	again, _ := p.request(r)
	p.settle()
	p.join("a", 4)
	p.settle()
	if p.replies[first].Verdict != "admitted" || p.replies[again] != p.replies[first] {
		t.Errorf("reply to a message, to its repeat = %+v, %+v, want both admitted", p.replies[first], p.replies[again])
	}
}

func TestMessagesThatWereDealtWithAreSkipped(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.submit(1, "")
	p.inbox--
	p.submit(1, "")
	if n := p.a.facts.Ledger.Jobs().Len(); n != 1 {
		t.Errorf("jobs = %d, want 1", n)
	}
}

func TestALostBatchIsSaidAgain(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.request(actors.Request{Body: job(1, "1m")})
	if first, second := len(p.decide()), len(p.decide()); first != 2 || second != 2 {
		t.Errorf("events of two decisions = %d, %d, want 2, 2", first, second)
	}
}

func (p *driver) ask(verb, job string) subjects.Verdict {
	inbox, _ := p.request(actors.Request{
		Subject: subjects.DefaultPool.Request(verb), Body: []byte(`{"job":"` + job + `","who":"me","why":"a mistake"}`),
	})
	p.settle()
	return p.replies[inbox]
}

func TestCancelAndRetry(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	id := p.submit(1, "").Job
	for _, step := range []struct {
		verb, verdict string
		phase         ledger.Phase
	}{
		{"retry", "refused", ledger.Admitted},
		{"cancel", "cancelled", ledger.Cancelled},
		{"cancel", "refused", ledger.Cancelled},
		{"retry", "retried", ledger.Admitted},
	} {
		v := p.ask(step.verb, id)
		if v.Verdict != step.verdict || p.a.facts.Ledger.Job(id).Phase != step.phase || p.a.InboxFrom() != p.inbox {
			t.Errorf("%s: %+v, the job is %s, want %s, %s", step.verb, v, p.a.facts.Ledger.Job(id).Phase, step.verdict, step.phase)
		}
	}
	if v := p.ask("cancel", "nobody"); v.Verdict != "refused" || v.Text == "" {
		t.Errorf("cancel of an unknown job = %+v, want refused with a text", v)
	}
}

func TestAJobThatWaitsForItsVerdictCanBeCancelled(t *testing.T) {
	p := newDriver(t, Config{})
	inbox, _ := p.request(actors.Request{Body: job(1, "1m")})
	p.settle()
	p.ask("cancel", p.a.facts.Ledger.Jobs().At(0).ID)
	if v := p.replies[inbox]; v.Verdict != "cancelled" {
		t.Errorf("reply to the submitter of a cancelled job = %+v, want cancelled", v)
	}
	p.now = p.now.Add(time.Minute)
	if events := p.settle(); len(events) != 0 {
		t.Errorf("decided of a cancelled job: %T, want nothing", events[0])
	}
}

func TestARestoredAdmissionGoesOn(t *testing.T) {
	p := newDriver(t, Config{})
	waiting, _ := p.request(actors.Request{Body: job(1, "1m")})
	p.settle()
	b, err := p.a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if p.a, err = New(Config{}); err != nil {
		t.Fatal(err)
	}
	if err := p.a.Restore(b); err != nil {
		t.Fatal(err)
	}
	if p.a.InboxFrom() != waiting {
		t.Errorf("the inbox goes on from %d, want %d", p.a.InboxFrom(), waiting)
	}
	p.join("a", 4)
	if p.settle(); p.replies[waiting].Verdict != "admitted" {
		t.Errorf("reply to the job that waited = %+v, want admitted", p.replies[waiting])
	}
	for _, damage := range [][]byte{nil, {0xc1}, b[:len(b)/2]} {
		if err := p.a.Restore(damage); err == nil {
			t.Errorf("Restore(%d damaged bytes) = nil, want an error", len(damage))
		}
	}
}

func TestAJobTooLargeForAnEventIsRejected(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	var doc strings.Builder
	doc.WriteString("name: job\nstages:\n- name: one\n  command: [\"true\"]\n  splits:\n")
	for range 5000 {
		doc.WriteString("  - param: " + strings.Repeat("x", 185) + "\n")
	}
	inbox, _ := p.request(actors.Request{Body: []byte(doc.String())})
	p.settle()
	if v := p.replies[inbox]; v.Code != subjects.ReasonInvalid || !strings.Contains(v.Text, "objects") {
		t.Errorf("reply = %s, %.300s, want invalid for its objects", v.Code, v.Text)
	}
}

func TestABatchTakesOnlySoManyBytes(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	body := append(job(1, ""), "# "+strings.Repeat("x", 1<<20-500)+"\n"...)
	for range 6 {
		p.request(actors.Request{Body: body})
	}
	if n := len(p.decide()); n != 8 {
		t.Errorf("%d events, want four jobs of a megabyte and their verdicts", n)
	}
	if p.settle(); p.a.InboxFrom() != 6 {
		t.Errorf("InboxFrom() = %d, want 6", p.a.InboxFrom())
	}
}

func TestLongTextsOfClientsAreCut(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	id := p.submit(1, "").Job
	long := strings.Repeat("é", 1<<19)
	p.request(actors.Request{Subject: subjects.DefaultPool.Request("cancel"), Body: []byte(`{"job":"` + id + `","why":"` + long + `"}`)})
	e := p.settle()[0].(*subjects.Cancelled)
	if len(e.Why) > inbox.MaxText {
		t.Errorf("the reason has %d bytes, want at most %d", len(e.Why), inbox.MaxText)
	}
}

// After the inbox was replaced, messages of the old one that have no event yet are dropped: their
// sequences belong to other messages in the new one.
func TestMessagesOfAnInboxThatIsNoMoreAreDropped(t *testing.T) {
	p := newDriver(t, Config{})
	p.say(&subjects.Led{Actor: Name, Partition: "all", Instance: "a", Inbox: 1})
	p.inbox = 100
	p.submitted(job(1, ""))
	p.say(&subjects.Led{Actor: Name, Partition: "all", Instance: "a", Inbox: 2})
	p.inbox = 0
	first := p.submitted(job(2, ""))
	p.settle()
	if jobs := p.a.facts.Ledger.Jobs().Len(); jobs != 1 || p.a.InboxFrom() != first {
		t.Errorf("%d jobs were taken in, and the inbox counts as dealt with up to %d, want 1 and %d", jobs, p.a.InboxFrom(), first)
	}
}
