package story

import (
	"strings"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
)

// told returns the story of a job due at noon that went through these events.
func told(end time.Duration, events ...subjects.Event) string {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local)
	t := teller{detail: Full, job: &ledger.Job{ID: "j", Deadline: noon.UnixNano()}}
	for _, e := range events {
		t.fact(actors.Entry{Time: noon.Add(end), Event: e})
	}
	return t.text.String()
}

func TestAVerdictIsShownWithItsIntervalAndThePushedJobs(t *testing.T) {
	at := time.Date(2026, 3, 1, 11, 0, 0, 0, time.Local).UnixNano()
	e := &subjects.Admitted{
		Job: "j", Why: "done in about 20 s, behind 1 job of 10 s", Mode: "affected", Finish: at, Soonest: at - 60e9, Latest: at + 60e9, Margin: 0.25,
	}
	for range 5 {
		e.Pushed = append(e.Pushed, subjects.Push{Job: "other", By: 12, Slack: 30})
	}
	text := told(-time.Hour, e)
	for _, want := range []string{
		"behind 1 job of 10 s", "90 % interval of the end: 1 Mar 10:59:00 UTC to 1 Mar 11:01:00 UTC",
		"margin of 25 %", "It delays 5 jobs", "other by 12 s, 30 s before the deadline", "and 2 less urgent jobs",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("text =\n%s\nwant %q in it", text, want)
		}
	}
}

func TestTheOutcomeOfAPromiseIsShown(t *testing.T) {
	admitted := &subjects.Admitted{Job: "j", Mode: "affected"}
	danger := &subjects.Endangered{Job: "j", Slack: -3, Why: "2 hosts are gone"}
	done := &subjects.JobFinished{Job: "j"}
	for _, c := range []struct {
		end    time.Duration
		events []subjects.Event
		want   string
	}{
		{-time.Minute, []subjects.Event{admitted, done}, "before the deadline: deadline kept."},
		{-time.Minute, []subjects.Event{admitted, danger, done}, "deadline kept, after it was at risk once."},
		{time.Minute, []subjects.Event{admitted, danger, done}, "1m 00s after the deadline: deadline missed."},
		{time.Minute, []subjects.Event{admitted, &subjects.JobFailed{Job: "j"}}, "it had been admitted with a deadline."},
		{time.Minute, []subjects.Event{&subjects.Admitted{Job: "j", Mode: "all"}, done}, "1m 00s after the deadline."},
		{0, []subjects.Event{&subjects.Endangered{Job: "j", Slack: 3, Why: "it is back"}}, "deadline no longer at risk: it is back"},
	} {
		if text := told(c.end, c.events...); !strings.Contains(text, c.want) {
			t.Errorf("text =\n%s\nwant %q in it", text, c.want)
		}
	}
}
