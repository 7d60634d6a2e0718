package admission

import (
	"testing"
	"time"

	"lull/admission/pool"
	"lull/subjects"
	"lull/subjects/ledger"
)

// wish is a job of n tasks of ten seconds with a deadline that is a wish.
func wish(n, deadline string) []byte {
	return []byte("name: wish\ndeadline: {at: " + deadline + ", late: run}\nstages:\n- {name: one, command: [\"true\"], tasks: " + n + ", estimate: 10s}\n")
}

func (p *driver) wishes(n, deadline string) (*ledger.Job, subjects.Verdict) {
	inbox := p.submitted(wish(n, deadline))
	p.settle()
	return p.a.facts.Ledger.Job(p.replies[inbox].Job), p.replies[inbox]
}

func TestAWishIsPromisedIfItCanBeKept(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	if j, v := p.wishes("8", "1m"); v.Verdict != subjects.VerdictAdmitted || j.Late || j.Due(p.now.UnixNano()) != j.Deadline {
		t.Errorf("wish for 1m that can be kept = %+v, late %v, want admitted, false and its deadline", v, j.Late)
	}
	if len(p.a.facts.Book.Promises) != 1 {
		t.Errorf("promises = %d, want 1", len(p.a.facts.Book.Promises))
	}
}

func TestAWishThatCannotBeKeptRunsAfterWhatCan(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	j, v := p.wishes("80", "1m") // takes 200 s
	if v.Verdict != subjects.VerdictAdmitted || !j.Late || v.Slack > -130 {
		t.Fatalf("wish for 1m of a job of 200 s = %+v, late %v, want admitted, true with slack -130 s at most", v, j.Late)
	}
	if j.Due(p.now.UnixNano()) != 0 || len(p.a.facts.Book.Promises) != 0 {
		t.Errorf("due, promises of a late job = %d, %d, want 0, 0", j.Due(p.now.UnixNano()), len(p.a.facts.Book.Promises))
	}
	if v := p.submit(8, "30s"); v.Verdict != subjects.VerdictAdmitted {
		t.Errorf("submit(8, 30s) beside a late job = %+v, want admitted", v)
	}
}

func TestAWishMayBePastAndMustNotHurtOthers(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	victim := p.submit(8, "25s")
	if j, v := p.wishes("8", "22s"); v.Verdict != subjects.VerdictAdmitted || !j.Late {
		t.Errorf("wish that would make %s late = %+v, late %v, want admitted, true", victim.Job, v, j.Late)
	}
	p.now = p.now.Add(time.Minute)
	p.use("a", 4)
	if j, v := p.wishes("1", p.now.Add(-time.Hour).UTC().Format(`"2006-01-02T15:04:05Z"`)); v.Verdict != subjects.VerdictAdmitted || !j.Late {
		t.Errorf("wish of the past = %+v, late %v, want admitted, true", v, j.Late)
	}
}

// Once its deadline has passed, a wish makes way for jobs that can still keep their deadlines.
func TestAWishThatWasMissedMakesWay(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	j, _ := p.wishes("8", "1m")
	for range 3 {
		p.now = p.now.Add(30 * time.Second)
		p.use("a", 4)
		p.settle()
	}
	if p.a.pool.Load(j).Deadline != pool.None || j.Due(p.now.UnixNano()) != 0 {
		t.Errorf("deadline, due after the deadline = %d, %d, want none, 0", p.a.pool.Load(j).Deadline, j.Due(p.now.UnixNano()))
	}
	if f := p.a.verdicts.forecast(job(8, "30s")); f.Verdict != subjects.VerdictAdmitted {
		t.Errorf("forecast(8, 30s) beside a late job = %+v, want admitted", f)
	}
	p.ask("cancel", j.ID)
	p.settle()
	if p.a.pool.Queue.Len() != 0 {
		t.Errorf("jobs in the queue = %d, want 0", p.a.pool.Queue.Len())
	}
}
