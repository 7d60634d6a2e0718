package attempts

import (
	"bytes"
	"log/slog"
	"testing"
	"time"

	"lull/hostctl/actor"
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
	}{
		{0, most, subjects.ReasonRevoked, usual},
		{time.Minute, most, subjects.ReasonRevoked, time.Minute},
		{time.Minute, most, subjects.ReasonReserve, most},
		{time.Minute, most, subjects.ReasonPaused, most},
		{time.Second, most, subjects.ReasonPreempted, time.Second},
		{0, most, subjects.ReasonDisk, usual},
		{time.Minute, -1, subjects.ReasonReserve, 0},
		{time.Minute, 0, subjects.ReasonReserve, time.Minute},
	} {
		a := newRunner(t, Config{Grace: usual, EvictionGrace: c.most})
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
