package ledger

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"lull/subjects"
)

// missing says of attempt 5's output that it is gone.
var missing = &subjects.OutputMissing{Host: "h", Job: "j", Fact: fact, Folder: "/data/5"}

// lose finishes task 0 once more, on a host that then has its output no more, and
// returns how long the task waits, in seconds.
func (sc *script) lose() int {
	sc.t.Helper()
	f := sc.again()
	sc.must(&subjects.Finished{Host: "h", Job: "j", Fact: f, Manifest: subjects.Digest{1}},
		&subjects.OutputMissing{Host: "h", Job: "j", Fact: f})
	return int(sc.wait() / time.Second)
}

func TestAMissingOutputIsMadeAgainThreeTimes(t *testing.T) {
	sc := &script{t, New()}
	sc.must(joined, other, submitted, admitted)
	st := sc.s.Job("j").Stages[0]
	var waits []int
	for range 4 {
		waits = append(waits, sc.lose())
		if err := sc.s.broken(); err != nil {
			t.Fatal(err)
		}
	}
	if want := []int{1, 2, 4, 0}; !slices.Equal(waits, want) {
		t.Errorf("waits = %v s, want %v", waits, want)
	}
	if task, dead := sc.s.Job("j").Dead(); !dead || task.Task != 0 || st.Done != 0 {
		t.Errorf("after four losses, with one retry in its stage and at least three: task 0 in state %d, %d done, want it dead and 0", st.state(0), st.Done)
	}
	sc.must(&subjects.JobFailed{Job: "j", Code: subjects.ReasonMissing}, &subjects.Retried{Job: "j"})
	if wait := sc.lose(); wait != 1 {
		t.Errorf("in a job that was retried it waits for %d s, want 1 s again", wait)
	}
}

func TestAMissingOutputHasTheRetriesOfItsStage(t *testing.T) {
	sc := &script{t, New()}
	job := twoStages()
	job.Stages[0].Retries = 8
	sc.must(joined, other, &subjects.Submitted{Job: "j", Spec: job}, admitted)
	var waits []int
	for range 8 {
		waits = append(waits, sc.lose())
	}
	if want := []int{1, 2, 4, 8, 16, 32, 60, 60}; !slices.Equal(waits, want) {
		t.Errorf("waits = %v s, want %v", waits, want)
	}
	sc.lose()
	if _, dead := sc.s.Job("j").Dead(); !dead {
		t.Error("Dead() = false after nine losses, want true: eight are allowed")
	}
}

// Another attempt's finish, which was no commit, says nothing of the task.
func TestOnlyTheHostOfACommittedOutputSaysThatItIsMissing(t *testing.T) {
	done := append(running(), finished)
	whole := append(slices.Clone(done),
		&subjects.Assigned{Host: "h", Job: "j", TaskID: subjects.TaskID{Task: 1}, Term: 1, Width: 1, Try: 1},
		&subjects.Finished{Host: "h", Job: "j", Fact: subjects.Fact{TaskID: subjects.TaskID{Task: 1}, Term: 1, Attempt: 7}})
	read := append(slices.Clone(whole), &subjects.Joined{Host: "w", Slots: 2, Memory: 10, Labels: []string{"zone=2"}},
		&subjects.Assigned{Host: "w", Job: "j", TaskID: subjects.TaskID{Stage: 1}, Term: 9, Width: 2, Try: 1},
		&subjects.Finished{Host: "w", Job: "j", Fact: subjects.Fact{TaskID: subjects.TaskID{Stage: 1}, Term: 9, Attempt: 10}, Manifest: subjects.Digest{2}})
	const none, stale, foreign = "no such job runs", "the host is unknown, or has joined again since", "it is not the output that was committed"
	for _, c := range []struct {
		name string
		log  []subjects.Event
		e    subjects.Event
		why  string
	}{
		{"of an unknown job", done, with(missing, func(e *subjects.OutputMissing) { e.Job = "k" }), none},
		{"of a job that has ended", append(slices.Clone(done), &subjects.Cancelled{Job: "j"}), missing, none},
		{"in another term", done, with(missing, func(e *subjects.OutputMissing) { e.Term = 2 }), stale},
		{"before it joined again", append(slices.Clone(done), joined), missing, stale},
		{"by another host", done, with(missing, func(e *subjects.OutputMissing) { e.Host, e.Term = "g", 2 }), foreign},
		{"of another attempt", done, with(missing, func(e *subjects.OutputMissing) { e.Attempt = 4 }), foreign},
		{"of a task that runs", running(), missing, foreign},
		{"of a task that was never tried", done, with(missing, func(e *subjects.OutputMissing) { e.Task = 1 }), foreign},
		{"of no task", done, with(missing, func(e *subjects.OutputMissing) { e.Task = 2 }), "the job has no such task"},
		{"of no stage", done, with(missing, func(e *subjects.OutputMissing) { e.Stage = 2 }), "the job has no such task"},
		{"said twice", append(slices.Clone(done), missing), missing, foreign},
		{"after it was read", read, missing, "no stage reads the output any more"},
		{"of a stage that no other reads", read, with(missing, func(e *subjects.OutputMissing) {
			e.Host, e.Fact = "w", subjects.Fact{TaskID: subjects.TaskID{Stage: 1}, Term: 9, Attempt: 10}
		}), "no stage reads the output any more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc := &script{t, New()}
			sc.must(c.log...)
			if v := sc.say(c.e); v.Outcome != Void || v.Why != c.why {
				t.Errorf("Apply(%T) = %+v, want void: %s", c.e, v, c.why)
			}
		})
	}
}

func TestAMissingOutputSurvivesASnapshot(t *testing.T) {
	sc, restored := &script{t, New()}, &script{t, New()}
	sc.must(joined, other, submitted, admitted)
	sc.lose()
	sc.lose()
	if err := restored.s.Restore(snapshotOf(t, sc.s)); err != nil {
		t.Fatal(err)
	}
	if a, b := sc.lose(), restored.lose(); a != 4 || a != b {
		t.Errorf("the third loss costs %d s, and %d s after a restart; want 4 s", a, b)
	}
	if !bytes.Equal(snapshotOf(t, sc.s), snapshotOf(t, restored.s)) {
		t.Error("snapshots of the state and of the restored one differ, want the same bytes")
	}
}

func TestAHostIsToKeepWhatIsStillRead(t *testing.T) {
	sc := &script{t, New()}
	sc.must(append(running(), finished)...)
	j := sc.s.Job("j")
	needed := func(host string, from uint32) int {
		return len(slices.Collect(sc.s.Needed(j, 0, sc.s.Host(host), from)))
	}
	if needed("h", 0) != 1 || needed("h", 1) != 0 || needed("g", 0) != 0 {
		t.Errorf("h is to keep %d outputs, %d from task 1 on, g %d; want 1, 0, 0", needed("h", 0), needed("h", 1), needed("g", 0))
	}
	sc.must(missing)
	if needed("h", 0) != 0 {
		t.Errorf("outputs that h must keep = %d, want 0: it reported them missing", needed("h", 0))
	}
}
