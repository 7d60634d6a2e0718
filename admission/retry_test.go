package admission

import (
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
)

// again cancels a job, lets time pass and requests it again.
func (p *driver) again(id string, pass time.Duration) (*ledger.Job, subjects.Verdict) {
	p.ask("cancel", id)
	p.now = p.now.Add(pass)
	p.use("a", 4)
	v := p.ask("retry", id)
	return p.a.facts.Ledger.Job(id), v
}

// A deadline was promised when the job was submitted. A retry keeps it if the pool still can.
func TestARetryKeepsItsDeadlineIfThatCanBeKept(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	first := p.submit(8, "1m")
	if j, v := p.again(first.Job, time.Second); v.Verdict != subjects.VerdictRetried || v.Text != "" || j.Late {
		t.Errorf("retry of 20 s with a minute left = %+v, late %v, want retried, false", v, j.Late)
	}
}

func TestARetryThatIsTooLateMakesWay(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	for left, pass := range map[string]time.Duration{"10 s left": 50 * time.Second, "nothing left": 2 * time.Minute} {
		id := p.submit(8, "1m").Job
		j, v := p.again(id, pass)
		if v.Verdict != subjects.VerdictRetried || v.Text == "" || !j.Late || j.Due(p.now.UnixNano()) != 0 {
			t.Errorf("retry of 20 s with %s = %+v, late %v, due %d, want retried with a text, true, 0", left, v, j.Late, j.Due(p.now.UnixNano()))
		}
		p.ask("cancel", id)
	}
}

func TestARetryBreaksNoPromise(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	id := p.submit(8, "31s").Job
	p.ask("cancel", id)
	if v := p.submit(8, "32s"); v.Verdict != subjects.VerdictAdmitted {
		t.Fatalf("submit(8, 32s) after a cancel = %+v, want admitted", v)
	}
	if v := p.ask("retry", id); !p.a.facts.Ledger.Job(id).Late {
		t.Errorf("retry of 31s beside a promise of 32s = %+v, late false, want true", v)
	}
}

// Who cancels a job before its verdict and requests it again gets no deadline that was never judged.
func TestARetryDoesNotPassByAdmission(t *testing.T) {
	p := newDriver(t, Config{})
	p.submitted(job(80, "1m"))
	p.settle() // no host has joined: the verdict waits
	waits := p.a.facts.Ledger.Jobs().At(0)
	if waits.Phase != ledger.Submitted {
		t.Fatalf("phase of a job without a host = %v, want submitted", waits.Phase)
	}
	p.ask("cancel", waits.ID)
	p.ask("retry", waits.ID)
	if waits.Phase != ledger.Admitted || !waits.Late {
		t.Errorf("a job that was cancelled before its verdict and retried = phase %v, late %v, want admitted, true", waits.Phase, waits.Late)
	}
}
