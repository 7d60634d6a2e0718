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
			t.Fatalf("Apply(%T) is void: %s, want it accepted", e, v.Why)
		}
	}
	return s
}

func onA(attempt uint64) subjects.AttemptOn { return subjects.AttemptOn{Host: "a", Attempt: attempt} }

func speeds(rates ...float64) map[subjects.AttemptOn]subjects.Speed {
	all := map[subjects.AttemptOn]subjects.Speed{}
	for i, rate := range rates {
		all[onA(uint64(6+i))] = subjects.Speed{Attempt: uint64(6 + i), Rate: rate, Reference: 5e6, Cap: 0.5}
	}
	return all
}

func TestTheSpeedOfAJobIsShown(t *testing.T) {
	short := speeds(5e6, 1e6)
	short[onA(7)] = subjects.Speed{Attempt: 7, Rate: 1e6, Short: true}
	for _, c := range []struct {
		name   string
		speeds map[subjects.AttemptOn]subjects.Speed
		extra  []subjects.Event
		want   []string
	}{
		{"at its share", speeds(5e6, 4.9e6), nil, []string{
			"Now: 2 tasks running; reading 9.9 MB/s, limited to 1.00 cores.",
			"Target 10 MB/s together: its share, 66.7 % of what the pool reads for its type.",
			"Target reached.",
			"At that rate the remaining 400 MB are read by 21 Nov 12:00:40 UTC, 9m 20s before the deadline.",
			"Slowed for l (queue low).", "It slows l (queue low).",
		}},
		{"short of it", short, nil, []string{
			"1 of 2 tasks cannot reach that", "are read by 21 Nov 12:01:06",
		}},
		{"of which another host speaks", map[subjects.AttemptOn]subjects.Speed{{Host: "b", Attempt: 6}: {Rate: 9e9}}, nil, []string{"reading rate not measured yet"}},
		{"not heard of", nil, nil, []string{"reading rate not measured yet", "Not measured yet whether they reach it."}},
		{"one of them heard of", speeds(5e6), nil, []string{"1 of them reading 5.0 MB/s"}},
		{"below it for now", speeds(2e6, 2e6), nil, []string{"Below the target now", "12:00:40"}},
		{"alone", speeds(20e6, 20e6), []subjects.Event{&subjects.Paced{Host: "a", Job: "h", Term: 1, Why: "share"}}, []string{
			"reading 40 MB/s", "No target rate", "are read by 21 Nov 12:00:10",
		}},
		{"for its deadline", speeds(5e6, 5e6), []subjects.Event{
			&subjects.Paced{Host: "a", Job: "h", Term: 1, Rates: []subjects.Rate{{Rate: 5e6}}, Share: 0.5, Why: "deadline"},
		}, []string{"what its deadline needs, 50 % of what the pool reads"}},
	} {
		s := sharing(t, c.extra...)
		r := RatesOf(s, s.Job("h"), c.speeds, start)
		text := Moves(s, s.Job("h"), r, nil, time.Time{})
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is missing in\n%s", c.name, want, text)
			}
		}
	}
}

func TestThePreemptedJobIsShown(t *testing.T) {
	s := sharing(t)
	ended := []actors.Entry{
		{Seq: 20, Time: start, Event: &subjects.Revoked{Host: "a", Job: "l", Attempt: 8, For: "h"}},
		{Seq: 21, Time: start.Add(time.Second), Event: &subjects.Revoked{Host: "b", Job: "l", Attempt: 9, For: "h"}},
	}
	text := Moves(s, s.Job("h"), &Rates{}, ended, start)
	if want := "2 attempts of l preempted for it, the last on b at 12:00:01.\n"; text != want {
		t.Errorf("Moves() = %q, want %q", text, want)
	}
}

func TestAPreemptedAttemptIsShownOnce(t *testing.T) {
	s := sharing(t)
	fact := subjects.Fact{Term: 1, Attempt: 8}
	history := []actors.Entry{
		{Seq: 8, Time: start, Event: &subjects.Assigned{Host: "a", Job: "l", Try: 1}},
		{Seq: 20, Time: start, Event: &subjects.Revoked{Host: "a", Job: "l", Attempt: 8, For: "h", Why: "queue high holds fewer slots than its share"}},
		{Seq: 21, Time: start, Event: &subjects.Evicted{Host: "a", Job: "l", Fact: fact, Run: subjects.Run{Seconds: 3}, Reason: subjects.ReasonPreempted}},
	}
	text := Job(s, s.Job("l"), history, nil, start, Brief)
	want := "1 attempt evicted: preempted: queue high holds fewer slots than its share; this costs no retry.\n    scan/0 on a after 3 s\n"
	if !strings.Contains(text, want) || strings.Contains(text, "revoked") {
		t.Errorf("%q is missing, or it is told twice, in\n%s", want, text)
	}
	if task := Task(s.Job("l"), subjects.TaskID{}, history, start, Brief); !strings.Contains(task, "Evicted after 3 s: another job needed its slot. This costs no retry.") {
		t.Error(task)
	}
}
