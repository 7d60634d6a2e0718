package admission

import (
	"testing"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
)

const home = subjects.DefaultPool

// by submits a job on subject and returns its id.
func (p *driver) by(subject, claim string) string {
	p.tb.Helper()
	inbox, _ := p.request(actors.Request{Subject: subject, Body: job(1, ""), Client: claim})
	p.settle()
	return p.replies[inbox].Job
}

func (p *driver) askOn(subject, job string) subjects.Verdict {
	inbox, _ := p.request(actors.Request{Subject: subject, Body: []byte(`{"job":"` + job + `","who":"ann"}`)})
	p.settle()
	return p.replies[inbox]
}

// The subject identifies the sender; the name in the body counts for nothing.
func TestAJobIsChangedByItsSubmitterOrAnOperator(t *testing.T) {
	for _, test := range []struct {
		about, submit, cancel, verdict string
	}{
		{"her own", home.SubmitBy("ann"), home.RequestBy("cancel", "ann"), "cancelled"},
		{"another's", home.SubmitBy("ann"), home.RequestBy("cancel", "bob"), "refused"},
		{"another's, by a claim", home.SubmitBy("ann"), home.Request("cancel"), "refused"},
		{"another user's, by an operator", home.SubmitBy("ann"), home.AdminBy("cancel", "olga"), "cancelled"},
		{"without a user, by a user", home.Submit(), home.RequestBy("cancel", "bob"), "cancelled"},
		{"without a user, by a claim", home.Submit(), home.Request("cancel"), "cancelled"},
	} {
		p := newDriver(t, Config{Vouched: true})
		p.join("a", 4)
		id, before := p.by(test.submit, "ann"), p.seq
		v := p.askOn(test.cancel, id)
		if v.Verdict != test.verdict || (p.a.facts.Ledger.Job(id).Phase == ledger.Cancelled) != (test.verdict == "cancelled") {
			t.Errorf("%s: %+v, the job is %s, want %s", test.about, v, p.a.facts.Ledger.Job(id).Phase, test.verdict)
		}
		if test.verdict == "refused" && (v.Code != subjects.ReasonForbidden || p.seq != before) {
			t.Errorf("%s: %+v, %d events, want it forbidden and no event", test.about, v, p.seq-before)
		}
	}
}

// A request may follow the submission in the inbox before the job is in the log.
func TestAnothersJobIsSafeBeforeItIsInTheLog(t *testing.T) {
	p := newDriver(t, Config{Vouched: true})
	p.join("a", 4)
	r := actors.Request{Subject: home.SubmitBy("ann"), Body: job(1, ""), MessageID: "one"}
	p.request(r)
	v := p.askOn(home.RequestBy("cancel", "bob"), subjects.JobIDBy("job", "ann", "one", 0))
	if v.Code != subjects.ReasonForbidden || p.a.facts.Ledger.Jobs().At(0).Phase != ledger.Admitted {
		t.Errorf("cancel by another user = %+v, the job is %s, want forbidden, admitted", v, p.a.facts.Ledger.Jobs().At(0).Phase)
	}
}

func TestUsersAreProvenOrClaimed(t *testing.T) {
	for _, vouched := range []bool{true, false} {
		p := newDriver(t, Config{Vouched: vouched})
		p.join("a", 4)
		j := p.a.facts.Ledger.Job(p.by(home.SubmitBy("ann"), ""))
		who, want := subjects.Identity(j.User, j.Client), `"ann" (claimed)`
		if vouched {
			want = "ann"
		}
		if who != want {
			t.Errorf("vouched %v: shown as of %s, want %s", vouched, who, want)
		}
		if v := p.askOn(home.RequestBy("cancel", "bob"), j.ID); !vouched && v.Verdict != "cancelled" {
			t.Errorf("cancel where no user is vouched for = %+v, want cancelled", v)
		}
	}
}

// A job that claims to be ann's never has the id of a job that ann submitted.
func TestAClaimIsAnotherSubmitter(t *testing.T) {
	p := newDriver(t, Config{Vouched: true})
	p.join("a", 4)
	var ids []string
	for _, subject := range []string{home.Submit(), home.SubmitBy("ann"), home.SubmitBy("bob")} {
		inbox, _ := p.request(actors.Request{Subject: subject, Body: job(1, ""), Client: "ann", MessageID: "one"})
		p.settle()
		ids = append(ids, p.replies[inbox].Job)
	}
	if ids[0] == ids[1] || ids[1] == ids[2] || p.a.facts.Ledger.Jobs().Len() != 3 {
		t.Errorf("jobs of three users under one message id = %v, want three", ids)
	}
}
