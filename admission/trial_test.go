package admission

import (
	"strings"
	"testing"
	"time"

	"lull/admission/pool"
	"lull/subjects"
	"lull/subjects/ledger"
)

// unknowns is a pool of services that all read trials, with a host of four slots.
func unknowns(t *testing.T) *driver {
	p := newDriver(t, Config{})
	p.say(&subjects.Led{Actor: Name, Partition: "all", Format: subjects.Format},
		&subjects.Led{Actor: "slotter", Partition: "all", Format: subjects.Format})
	p.join("a", 4)
	return p
}

// try submits a job of a type that nothing is known of.
func (p *driver) try(tasks, deadline, more string) (id string, inbox uint64) {
	p.tb.Helper()
	inbox = p.submitted([]byte("name: new\ndeadline: " + deadline + "\nstages:\n- {name: one, command: [\"true\"], tasks: " + tasks + more + "}\n"))
	p.settle()
	for j := range p.a.facts.Ledger.LiveJobs().All() {
		if j.Name == "new" {
			id = j.ID
		}
	}
	return id, inbox
}

func (p *driver) is(t *testing.T, id string, want ledger.Phase) {
	t.Helper()
	if got := p.a.facts.Ledger.Job(id).Phase; got != want {
		t.Fatalf("the job is %s, want %s", got, want)
	}
}

func TestAnUnknownTypeIsTriedAndItsTasksGiveTheVerdict(t *testing.T) {
	for _, c := range []struct {
		took time.Duration
		want ledger.Phase
	}{{time.Second, ledger.Admitted}, {time.Minute, ledger.Rejected}} {
		p := unknowns(t)
		id, inbox := p.try("200", "30m", "")
		p.is(t, id, ledger.Trying)
		if got := p.replies[inbox]; got.Verdict != subjects.VerdictTrying || got.Job != id || !strings.Contains(got.Text, "the verdict follows") {
			t.Errorf("reply before any task ended = %+v, want at once that the verdict of %s follows", got, id)
		}
		for task := range uint32(pool.Telling) {
			p.is(t, id, ledger.Trying)
			p.ran(id, task, c.took)
			p.settle()
		}
		p.is(t, id, c.want) // 200 s, or 50 minutes
		if p.replies[inbox].Verdict != c.want.String() {
			t.Errorf("reply = %+v, want %s", p.replies[inbox], c.want)
		}
	}
}

func TestATrialEndsWithATenthOfTheTime(t *testing.T) {
	p := unknowns(t)
	id, inbox := p.try("200", "20m", "")
	for range 11 {
		p.now = p.now.Add(10 * time.Second)
		p.use("a", 4)
		p.settle()
		p.is(t, id, ledger.Trying)
	}
	p.now = p.now.Add(10 * time.Second)
	p.use("a", 4)
	p.settle()
	p.is(t, id, ledger.Rejected) // by the guess of a minute a task
	if text := p.replies[inbox].Text; !strings.Contains(text, "estimate:") {
		t.Errorf("text = %q, want what was assumed: estimate:", text)
	}
}

func TestAnEstimateIsBelievedUntilItWouldRejectTheJob(t *testing.T) {
	p := unknowns(t)
	id, _ := p.try("20", "10m", ", estimate: 10s")
	p.is(t, id, ledger.Admitted)
	p = unknowns(t)
	id, _ = p.try("20", "10m", ", estimate: 10m")
	p.is(t, id, ledger.Trying)
}

func TestWhatFewTasksShowedIsBelievedUntilItWouldRejectTheJob(t *testing.T) {
	for took, want := range map[float64]ledger.Phase{1: ledger.Admitted, 60: ledger.Trying} {
		p := unknowns(t)
		p.say(&subjects.Fitted{Type: "new", A: took, Low: 1, High: 1, Fast: 0.5, Slow: 2, Samples: 1})
		id, inbox := p.try("100", "10m", "") // 25 s, or 25 minutes
		p.is(t, id, want)
		if want == ledger.Admitted {
			continue
		}
		for task := range uint32(pool.Telling) {
			p.ran(id, task, time.Second)
			p.settle()
		}
		p.is(t, id, ledger.Admitted) // the one task of an earlier job was an exception
		if p.replies[inbox].Verdict != subjects.VerdictAdmitted {
			t.Errorf("reply = %+v, want admitted", p.replies[inbox])
		}
	}
}

func TestAServiceThatCannotReadTrialsSeesNone(t *testing.T) {
	p := newDriver(t, Config{})
	p.say(&subjects.Led{Actor: Name, Partition: "all", Format: subjects.Format}, &subjects.Led{Actor: "slotter", Partition: "all", Format: subjects.FormatTrying - 1})
	p.join("a", 4)
	id, _ := p.try("20", "30m", "")
	p.is(t, id, ledger.Admitted)
}

func TestAnOldHostKeepsJobsAwayThatReadByTask(t *testing.T) {
	for format, want := range map[uint32]string{subjects.FormatByTask - 1: subjects.VerdictRejected, subjects.FormatByTask: subjects.VerdictAdmitted} {
		p := newDriver(t, Config{})
		p.say(&subjects.Led{Actor: Name, Partition: "all", Format: subjects.Format})
		p.say(&subjects.Joined{Host: "old", Cores: 4, Slots: 4, Memory: 8e9, Format: format})
		inbox := p.submitted([]byte("{name: new, stages: [{name: a, command: x, tasks: 2}, {name: b, command: x, from: {stage: a, by: task}}]}"))
		p.settle()
		p.now = p.now.Add(time.Duration(maxLag)) // a verdict that no host can run it is not given sooner
		p.settle()
		got := p.replies[inbox]
		if got.Verdict != want {
			t.Errorf("beside a host of format %d the job is %s (%s), want %s", format, got.Verdict, got.Text, want)
		}
		if want == subjects.VerdictRejected && !strings.Contains(got.Text, "upgrade") {
			t.Errorf("text = %q, want the advice to upgrade", got.Text)
		}
	}
}

func TestAJobMayEndWhileItIsTried(t *testing.T) {
	p := unknowns(t)
	id, inbox := p.try("1", "30m", "")
	p.ran(id, 0, time.Second)
	p.say(&subjects.JobFinished{Job: id})
	if v := p.replies[inbox]; v.Verdict != subjects.VerdictAdmitted {
		t.Errorf("reply to a job that is done = %+v, want admitted", v)
	}
	id, inbox = p.try("100", "30m", "")
	p.ask("cancel", id)
	p.settle()
	if v := p.replies[inbox]; v.Verdict != subjects.VerdictCancelled {
		t.Errorf("reply to a job that was cancelled = %+v, want cancelled", v)
	}
	if len(p.a.trials.Loads) != 0 {
		t.Errorf("trials left = %d, want 0", len(p.a.trials.Loads))
	}
}

func TestATrialSurvivesARestart(t *testing.T) {
	p := unknowns(t)
	id, _ := p.try("200", "30m", "")
	p.ran(id, 0, time.Second)
	p.ran(id, 1, time.Second)
	p.settle()
	state, err := p.a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.a.Restore(state); err != nil {
		t.Fatal(err)
	}
	p.use("a", 4)
	p.settle()
	p.is(t, id, ledger.Trying)
	p.ran(id, 2, time.Second)
	p.now = p.now.Add(10 * time.Second)
	p.use("a", 4)
	p.settle()
	p.is(t, id, ledger.Admitted)
}

// What follows a stage that is tried costs what that one showed, not a minute a task.
func TestStagesThatCannotBeTriedYetFollowThoseThatWere(t *testing.T) {
	p := unknowns(t)
	inbox := p.submitted([]byte("name: new\ndeadline: 10m\nstages:\n- {name: map, command: [\"true\"], tasks: 100}\n- {name: reduce, command: [\"true\"], tasks: 100, after: [map]}\n"))
	p.settle()
	id := ""
	for j := range p.a.facts.Ledger.LiveJobs().All() {
		id = j.ID
	}
	p.is(t, id, ledger.Trying)
	for task := range uint32(pool.Telling) {
		p.ran(id, task, time.Second)
		p.settle()
	}
	p.is(t, id, ledger.Admitted)
	if got := p.predicted(id); got > 2*time.Minute {
		t.Errorf("200 tasks of a second on 4 slots: predicted %v, want at most 2m (reply %+v)", got, p.replies[inbox])
	}
}
