package attempts

import (
	"bytes"
	"log/slog"
	"testing"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/slots"
	"lull/subjects"
	"lull/subjects/spec"
)

func TestTheGraceIsTheStages(t *testing.T) {
	const usual, most = 5 * time.Second, 30 * time.Second
	for _, c := range []struct {
		stage  time.Duration
		most   time.Duration
		reason string
		want   time.Duration
		oneJob bool
	}{
		{0, most, subjects.ReasonRevoked, usual, false},
		{time.Minute, most, subjects.ReasonRevoked, time.Minute, false},
		{time.Minute, most, subjects.ReasonReserve, most, false},
		{time.Minute, most, subjects.ReasonPaused, most, false},
		{time.Second, most, subjects.ReasonPreempted, time.Second, false},
		{0, most, subjects.ReasonDisk, usual, false},
		{time.Minute, -1, subjects.ReasonReserve, 0, false},
		{time.Minute, 0, subjects.ReasonReserve, time.Minute, false},
		{time.Minute, most, subjects.ReasonPaused, time.Minute, true}, // the agent ends for its one user
		{time.Minute, most, subjects.ReasonReserve, most, true},
	} {
		a := newRunner(t, Config{Grace: usual, EvictionGrace: c.most, OneJob: c.oneJob})
		r, _ := a.claim(actor.Task{Attempt: 1, Job: "job"})
		x := a.execution(r)
		x.doc = &subjects.Submitted{Spec: spec.Job{Stages: []spec.Stage{{Ending: spec.Ending{Grace: c.stage}}}}}
		if got := usualGrace(x, c.reason); got != c.want {
			t.Errorf("grace of a stage with %v, evictions with %v, for %s = %v, want %v", c.stage, c.most, c.reason, got, c.want)
		}
	}
}

func TestATaskThatEndsLateIsNotedOnce(t *testing.T) {
	var log bytes.Buffer
	a := newRunner(t, Config{})
	a.cfg.Logger = slog.New(slog.NewTextHandler(&log, nil))
	r, _ := a.claim(actor.Task{Attempt: 1, Job: "job"})
	x := a.execution(r)
	for range 3 {
		noteLate(x, errLeft)
	}
	if n := bytes.Count(log.Bytes(), []byte("\n")); n != 1 {
		t.Errorf("%d lines, want 1:\n%s", n, log.String())
	}
}

// An agent that leaves waits for so long.
func TestTheLongestGraceIsThatOfTasksThatRun(t *testing.T) {
	a := newRunner(t, Config{Grace: 5 * time.Second})
	if got := LongestGrace(a); got != 0 {
		t.Errorf("without tasks: %v, want 0", got)
	}
	for attempt, c := range []struct{ stage, want time.Duration }{{0, 5 * time.Second}, {time.Minute, time.Minute}, {time.Second, time.Minute}} {
		r := a.newRun(actor.Task{Attempt: uint64(attempt), Job: "job"}, &slots.Slot{})
		a.table.add(r)
		r.setModel(&subjects.Submitted{Spec: spec.Job{Stages: []spec.Stage{{Ending: spec.Ending{Grace: c.stage}}}}})
		before := LongestGrace(a)
		r.setRunning(actor.Running{Attempt: uint64(attempt)})
		if got := LongestGrace(a); got != c.want || before >= got && c.stage == time.Minute {
			t.Errorf("with a task of %v: %v, before it ran %v; want %v", c.stage, got, before, c.want)
		}
	}
}
