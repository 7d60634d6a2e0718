package story

import (
	"strings"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// sharing is a log in which job h is held to its share and l gives way to it.
func sharing(t *testing.T, extra ...subjects.Event) *ledger.State {
	t.Helper()
	job := func(id, queue string) *subjects.Submitted {
		return &subjects.Submitted{Job: id, Deadline: at(600), Spec: spec.Job{Name: id, Type: id, Queue: queue, Stages: []spec.Stage{
			{Name: "scan", Argv: []string{"true"}, Tasks: 4, CPU: 1, Memory: 1, Bytes: 100e6},
		}}}
	}
	given := func(job string, task, slot uint32) *subjects.Assigned {
		return &subjects.Assigned{Host: "a", Job: job, Term: 1, TaskID: subjects.TaskID{Task: task}, Slot: slot, Width: 1}
	}
	s := ledger.New()
	for i, e := range append([]subjects.Event{
		&subjects.Joined{Host: "a", Cores: 4, Slots: 4, Memory: 1 << 30},
		job("h", "high"), &subjects.Admitted{Job: "h"}, job("l", "low"), &subjects.Admitted{Job: "l"},
		given("h", 0, 0), given("h", 1, 1), given("l", 0, 2),
		&subjects.Paced{Host: "a", Job: "h", Term: 1, Rates: []subjects.Rate{{Rate: 5e6}}, Share: 2. / 3, Why: "share", For: []string{"l", "gone"}},
		&subjects.Paced{Host: "a", Job: "l", Term: 1, Rates: []subjects.Rate{{Rate: 2.5e6}}, Share: 1. / 3, Why: "share", For: []string{"h"}},
	}, extra...) {
		if v := s.Apply(uint64(i+1), start, e); v.Outcome == ledger.Void {
			t.Fatalf("%T: %s", e, v.Why)
		}
	}
	return s
}

func speeds(rates ...float64) map[uint64]subjects.Speed {
	all := map[uint64]subjects.Speed{}
	for i, rate := range rates {
		all[uint64(6+i)] = subjects.Speed{Attempt: uint64(6 + i), Rate: rate, Reference: 5e6, Cap: 0.5}
	}
	return all
}

func TestHowFastAJobMovesIsTold(t *testing.T) {
	short := speeds(5e6, 1e6)
	short[7] = subjects.Speed{Attempt: 7, Rate: 1e6, Short: true}
	for _, c := range []struct {
		name   string
		speeds map[uint64]subjects.Speed
		extra  []subjects.Event
		want   []string
	}{
		{"at its share", speeds(5e6, 4.9e6), nil, []string{
			"Now: 2 tasks run; they read 9.9 MB/s, held to 1.00 cores.",
			"Told to read 10 MB/s, all together: its share, 66.7 % of what the pool reads for its type.",
			"That is reached.",
			"At that rate the 400 MB that are left are read by 21 Nov 12:00:40, 9m 20s before the deadline.",
			"It gives way to l (queue low).", "For its sake is slowed l (queue low).",
		}},
		{"short of it", short, nil, []string{
			"1 of 2 tasks cannot read that much", "are read by 21 Nov 12:01:06",
		}},
		{"not heard of", nil, nil, []string{"what they read was not measured", "Whether that is reached was not heard."}},
		{"one of them heard of", speeds(5e6), nil, []string{"1 of them read 5.0 MB/s"}},
		{"below it for now", speeds(2e6, 2e6), nil, []string{"not reached at the moment", "12:00:40"}},
		{"alone", speeds(20e6, 20e6), []subjects.Event{&subjects.Paced{Host: "a", Job: "h", Term: 1, Why: "share"}}, []string{
			"they read 40 MB/s", "No rate is set", "are read by 21 Nov 12:00:10",
		}},
		{"for its deadline", speeds(5e6, 5e6), []subjects.Event{
			&subjects.Paced{Host: "a", Job: "h", Term: 1, Rates: []subjects.Rate{{Rate: 5e6}}, Share: 0.5, Why: "deadline"},
		}, []string{"what its deadline needs, 50 % of what the pool reads"}},
	} {
		s := sharing(t, c.extra...)
		r := RatesOf(s, s.Job("h"), c.speeds, start)
		text := Moves(s, s.Job("h"), r, nil)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is missing in\n%s", c.name, want, text)
			}
		}
	}
}

func TestWhoMadeWayIsTold(t *testing.T) {
	s := sharing(t)
	ended := []actors.Entry{
		{Seq: 20, Time: start, Event: &subjects.Revoked{Host: "a", Job: "l", Attempt: 8, For: "h"}},
		{Seq: 21, Time: start.Add(time.Second), Event: &subjects.Revoked{Host: "b", Job: "l", Attempt: 9, For: "h"}},
	}
	text := Moves(s, s.Job("h"), &Rates{}, ended)
	if want := "2 attempts of l ended to make way for it, the last on b at 12:00:01.\n"; text != want {
		t.Errorf("got %q, want %q", text, want)
	}
}

func TestAnAttemptThatMadeWayIsToldOnce(t *testing.T) {
	s := sharing(t)
	fact := subjects.Fact{Term: 1, Attempt: 8}
	history := []actors.Entry{
		{Seq: 8, Time: start, Event: &subjects.Assigned{Host: "a", Job: "l", Try: 1}},
		{Seq: 20, Time: start, Event: &subjects.Revoked{Host: "a", Job: "l", Attempt: 8, For: "h", Why: "queue high holds fewer slots than its share"}},
		{Seq: 21, Time: start, Event: &subjects.Evicted{Host: "a", Job: "l", Fact: fact, Run: subjects.Run{Seconds: 3}, Reason: subjects.ReasonPreempted}},
	}
	text := Job(s, s.Job("l"), history, start)
	want := "1 attempt evicted: it made way: queue high holds fewer slots than its share; that costs no retry.\n    scan/0 on a after 3 s\n"
	if !strings.Contains(text, want) || strings.Contains(text, "revoked") {
		t.Errorf("%q is missing, or it is told twice, in\n%s", want, text)
	}
	if task := Task(s.Job("l"), subjects.TaskID{}, history, start); !strings.Contains(task, "evicted after 3 s: another job was to have its slot. That costs no retry.") {
		t.Error(task)
	}
}
