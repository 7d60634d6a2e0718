package admission

import (
	"testing"

	"lull/actors"
	"lull/admission/inbox"
	"lull/subjects"
	"lull/subjects/ledger"
)

// asking is a request about a job.
func asking(verb, job string) actors.Request {
	return actors.Request{Subject: subjects.DefaultPool.Request(verb), Body: []byte(`{"job":"` + job + `"}`)}
}

// early gives the actor a request that stands so many messages further in the inbox.
func (p *driver) early(further uint64, r actors.Request) (inbox uint64) {
	r.Seq, r.Time, r.Early = p.inbox+further, p.now, true
	p.hear(p.a.Step(actors.Input{Now: p.now, Request: &r}))
	return r.Seq
}

func (p *driver) phase(job string) ledger.Phase {
	p.tb.Helper()
	j := p.a.facts.Ledger.Job(job)
	if j == nil {
		p.tb.Fatalf("there is no job %s", job)
	}
	return j.Phase
}

// A cancel that is read past submissions ends its job, leaves them their turn, and comes
// to nothing in its own.
func TestACancelPassesSubmissionsThatWait(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	id := p.submit(1, "").Job
	before := p.a.InboxFrom()
	at := p.early(2, asking("cancel", id))
	p.settle()
	if p.phase(id) != ledger.Cancelled || p.replies[at].Verdict != "cancelled" {
		t.Fatalf("the job is %v, the reply %+v, want cancelled, cancelled", p.phase(id), p.replies[at])
	}
	if p.a.InboxFrom() != before {
		t.Errorf("the inbox is dealt with up to %d, want %d: the submission before it is lost", p.a.InboxFrom(), before)
	}
	if v := p.submit(1, ""); v.Verdict != "admitted" {
		t.Errorf("reply to the submission that waited = %+v, want admitted", v)
	}
	p.request(asking("cancel", id))
	if events := p.settle(); len(events) != 0 {
		t.Errorf("the cancel in its turn makes %d events, want none", len(events))
	}
}

// Whether a cancel is right may depend on what stands before it. Then it waits for its
// turn.
func TestACancelThatCannotPassWaitsForItsTurn(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	id := p.submit(1, "").Job
	other := p.a.inbox.NewID(&inbox.Message{Job: subjects.JobID("job", "", "", p.inbox+1)}) // its submission waits
	for _, job := range []string{other, "nobody"} {
		p.early(3, asking("cancel", job))
	}
	p.early(4, asking("retry", id))
	if events := p.settle(); len(events) != 0 || len(p.replies) != 1 {
		t.Errorf("%d events, replies %+v, want no event and no further reply", len(events), p.replies)
	}
	if v := p.submit(1, ""); v.Job != other || p.ask("cancel", other).Verdict != "cancelled" {
		t.Errorf("in its turn: %+v, then the job is %v, want it accepted and cancelled", v, p.phase(other))
	}
}

// A retry that waits before the cancel opens the job again: the cancel ends it again.
func TestACancelBehindARetryHolds(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	id := p.submit(1, "").Job
	p.early(2, asking("cancel", id))
	p.settle()
	p.request(asking("retry", id))
	p.request(asking("cancel", id))
	p.settle()
	if got := p.phase(id); got != ledger.Cancelled {
		t.Errorf("the job is %v, want cancelled", got)
	}
}

// An instance that takes over has not read the cancel early, and finds its job cancelled. A cancel
// that gets its turn before anything was decided is decided once.
func TestACancelIsDecidedOnce(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	id := p.submit(1, "").Job
	at := p.early(1, asking("cancel", id))
	if again, _ := p.request(asking("cancel", id)); again != at {
		t.Fatalf("the test's messages have sequences %d and %d, want the same", at, again)
	}
	if n := len(p.settle()); n != 1 || p.a.InboxFrom() != at {
		t.Errorf("%d events, InboxFrom() = %d, want 1, %d", n, p.a.InboxFrom(), at)
	}
	id = p.submit(1, "").Job
	p.early(1, asking("cancel", id))
	p.settle()
	delete(p.replies, p.inbox+1)
	p.say(&subjects.Led{Actor: Name, Partition: "all"})
	p.request(asking("cancel", id))
	p.settle()
	if p.phase(id) != ledger.Cancelled || p.a.InboxFrom() != p.inbox {
		t.Errorf("the job is %v, InboxFrom() = %d, want cancelled, %d", p.phase(id), p.a.InboxFrom(), p.inbox)
	}
}

// A cancel that is read before its turn needs the same right to the job.
func TestAnEarlyCancelNeedsTheRight(t *testing.T) {
	p := newDriver(t, Config{Vouched: true})
	p.join("a", 4)
	p.request(actors.Request{Subject: subjects.DefaultPool.SubmitBy("ann"), Body: job(1, "")})
	p.settle()
	id := p.replies[p.inbox].Job
	p.early(1, actors.Request{Subject: subjects.DefaultPool.RequestBy("cancel", "bob"), Body: []byte(`{"job":"` + id + `"}`)})
	if p.settle(); p.phase(id) != ledger.Admitted {
		t.Errorf("the job is %v after another user's cancel, want admitted", p.phase(id))
	}
}
