package story

import (
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

var update = flag.Bool("update", false, "rewrite the golden files; read the diff")

func TestMain(m *testing.M) {
	flag.Parse()
	// Texts show local times. Not by time.Local: the NATS server reads that once a second.
	if err := os.Setenv("TZ", "UTC"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

var start = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func at(seconds float64) int64 { return start.Add(time.Duration(seconds * 1e9)).UnixNano() }

// log is a life with everything in it: one entry a second.
func life() []subjects.Event {
	stages := []spec.Stage{
		{Name: "map", Argv: []string{"true"}, Tasks: 3, CPU: 1, Memory: 1 << 20, Retries: 1},
		{Name: "reduce", Argv: []string{"true"}, Tasks: 1, CPU: 1, Memory: 1 << 20, From: []spec.From{{Stage: 0}}},
	}
	fact := func(task uint32, attempt uint64) subjects.Fact {
		return subjects.Fact{TaskID: subjects.TaskID{Task: task}, Term: 1, Attempt: attempt}
	}
	assigned := func(task, try uint32, rule string) *subjects.Assigned {
		return &subjects.Assigned{Host: "alpha", Job: "wc-a", TaskID: subjects.TaskID{Task: task}, Term: 1, Try: try, Slot: task, Width: 1,
			Why: subjects.Why{Rule: rule, Residual: 0.62, Norm: 1.25, Expected: 4, Slack: 300}}
	}
	return []subjects.Event{
		&subjects.Joined{Host: "alpha", Cores: 4, Slots: 4, Memory: 1 << 30},
		&subjects.Submitted{Job: "wc-a", Client: "ada@desk", At: at(2), Deadline: at(600),
			Spec: spec.Job{Name: "wc", Type: "wc", Stages: stages}},
		&subjects.Admitted{Job: "wc-a", Finish: at(60), Slack: 540, Mode: "affected", Why: "done in about a minute"},
		assigned(0, 1, "mp-ii"), // 4
		assigned(1, 1, "mp-ii"), // 5
		assigned(2, 1, "mp-i"),  // 6
		&subjects.Started{Host: "alpha", Job: "wc-a", Fact: fact(0, 4), At: at(7), Residual: 0.6},
		&subjects.Finished{Host: "alpha", Job: "wc-a", Fact: fact(0, 4), Run: subjects.Run{Seconds: 3.5, CPU: 2.1, Residual: 0.6}, Files: 2, Manifest: subjects.Digest{1}},
		&subjects.Evicted{Host: "alpha", Job: "wc-a", Fact: fact(1, 5), Run: subjects.Run{Seconds: 2}, Reason: subjects.ReasonReserve},
		&subjects.Failed{Host: "alpha", Job: "wc-a", Fact: fact(2, 6), Run: subjects.Run{Seconds: 1}, Reason: subjects.ReasonExit, Exit: 7,
			Tail: "one\ntwo\nthree\ncannot open the pod bay doors", Label: "/in/f137.json"},
		assigned(1, 2, "mp-ii"), // 11
		&subjects.Declined{Host: "alpha", Job: "wc-a", Fact: fact(1, 11), Reason: subjects.ReasonDisk},
		&subjects.Endangered{Job: "wc-a", Finish: at(660), Slack: -60, Why: "the primary leaves less than before"},
		assigned(2, 2, "mp-i"), // 14
		&subjects.Revoked{Host: "alpha", Job: "wc-a", Attempt: 14, Why: "the job was cancelled"},
		&subjects.Cancelled{Job: "wc-a", Who: "ada@desk", Why: "changed my mind"},
		&subjects.Retried{Job: "wc-a", Who: "ada@desk"},
	}
}

func lived(t *testing.T) (*ledger.State, *ledger.Job, []actors.Entry) {
	t.Helper()
	s := ledger.New()
	var history []actors.Entry
	for i, e := range life() {
		seq, now := uint64(i+1), start.Add(time.Duration(i+1)*time.Second)
		s.Apply(seq, now, e)
		if _, ok := e.(*subjects.Joined); !ok {
			history = append(history, actors.Entry{Seq: seq, Time: now, Event: e})
		}
	}
	j := s.Job("wc-a")
	if j == nil {
		t.Fatal("Job(wc-a) = nil, want it in the ledger")
	}
	return s, j, history
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := "testdata/" + name + ".golden"
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("story =\n%s\nwant\n%s", got, want)
	}
}

func TestJob(t *testing.T) {
	s, j, history := lived(t)
	golden(t, "job", Job(s, j, history, nil, start.Add(20*time.Second), Brief))
}

func TestTasks(t *testing.T) {
	_, j, history := lived(t)
	text := ""
	for _, id := range []subjects.TaskID{{Task: 0}, {Task: 1}, {Task: 2}, {Stage: 1}} {
		text += Task(j, id, history, start.Add(20*time.Second), Full) + "\n"
	}
	golden(t, "tasks", text)
}

func TestAForgottenJob(t *testing.T) {
	s, j, _ := lived(t)
	if got, want := Job(s, j, nil, nil, start.Add(20*time.Second), Brief), "The log no longer has the history of wc-a: it is admitted.\n"; got != want {
		t.Errorf("Job() without history = %q, want %q", got, want)
	}
}

func TestAJobHeldBack(t *testing.T) {
	s, j, history := lived(t)
	seq := s.Seq
	for i, e := range []subjects.Event{
		&subjects.Assigned{Host: "alpha", Job: "wc-a", Term: 1, Width: 1, Try: 3, TaskID: subjects.TaskID{Task: 1}},
		&subjects.Declined{Host: "alpha", Job: "wc-a", Reason: subjects.ReasonDisk,
			Fact: subjects.Fact{TaskID: subjects.TaskID{Task: 1}, Term: 1, Attempt: seq + 1}},
	} {
		now := start.Add(time.Duration(20+i) * time.Second)
		s.Apply(seq+1+uint64(i), now, e)
		history = append(history, actors.Entry{Seq: seq + 1 + uint64(i), Time: now, Event: e})
	}
	job, task := Job(s, j, history, nil, start.Add(22*time.Second), Brief), Task(j, subjects.TaskID{Task: 1}, history, start.Add(22*time.Second), Brief)
	if want := "1 task of map waiting before another attempt, after failures, declines or lost processes; the first in 1 s."; !strings.Contains(job, want) {
		t.Errorf("%q is missing in\n%s", want, job)
	}
	if want := "Next attempt not before 21 Nov 12:00:23 UTC."; !strings.Contains(task, want) {
		t.Errorf("%q is missing in\n%s", want, task)
	}
}

func TestAnOutputThatVanished(t *testing.T) {
	s, j, history := lived(t)
	e := &subjects.OutputMissing{Host: "alpha", Job: "wc-a", Folder: "/data/attempt-4", Fact: subjects.Fact{Term: 1, Attempt: 4}}
	now := start.Add(20 * time.Second)
	if v := s.Apply(s.Seq+1, now, e); v.Outcome == ledger.Void {
		t.Fatal(v.Why)
	}
	history = append(history, actors.Entry{Seq: s.Seq, Time: now, Event: e})
	job, task := Job(s, j, history, nil, now, Brief), Task(j, subjects.TaskID{}, history, now, Brief)
	for _, want := range []string{
		"1 attempt lost its output: it disappeared from its host before all readers had it; the task runs again, and this counts as a failure.\n    map/0 from alpha, folder /data/attempt-4\n",
		"waiting before another attempt",
	} {
		if !strings.Contains(job, want) {
			t.Errorf("%q is missing in\n%s", want, job)
		}
	}
	if want := "alpha lost its output: it disappeared from its host before all readers had it"; !strings.Contains(task, want) {
		t.Errorf("%q is missing in\n%s", want, task)
	}
}

func TestWhatAnAssignmentWeighed(t *testing.T) {
	for _, c := range []struct {
		why         subjects.Why
		brief, full string
	}{
		{subjects.Why{Residual: 0.5}, "50 % idle", ""},
		{subjects.Why{Residual: 0.09, Expected: 660, Norm: 11.1}, "9 % idle, so 11 times slower; predicted 11m 00s", "; normalized time 11.10"},
		{subjects.Why{Residual: 0.5, Expected: 120, Guessed: true}, "50 % idle; guessed 2m 00s", ""},
		{subjects.Why{Residual: 1, Expected: 10, Norm: 1, Slack: -3, Risk: 7.5}, "100 % idle; predicted 10 s",
			"; normalized time 1.00; slack −3 s; 7.5 s late with the slots it had"},
		{subjects.Why{Residual: 1, Gain: 12}, "100 % idle", "; gains 12 s"},
	} {
		for detail, want := range map[Detail]string{Brief: c.brief, Full: c.brief + c.full} {
			told := teller{detail: detail}
			if got := told.basis(c.why); got != want {
				t.Errorf("basis(%+v) = %q, want %q", c.why, got, want)
			}
		}
	}
}

// Every rule that the slotter may name has words.
func TestEveryRuleHasWords(t *testing.T) {
	for _, name := range []string{"fifo", "edf", "mp-i", "mp-ii", "mp+risk", "mp+wait", "mp+fit", "explore", "rival"} {
		if strings.HasPrefix(rule(name), "rule ") {
			t.Errorf("rule(%s) = %q, want words", name, rule(name))
		}
	}
}
