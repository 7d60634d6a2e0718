package progress

import (
	"strings"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// pool folds events, one a second.
func pool(t *testing.T, events ...subjects.Event) (*ledger.State, time.Time) {
	t.Helper()
	s, now := ledger.New(), start
	for i, e := range events {
		now = now.Add(time.Second)
		if v := s.Apply(uint64(i+1), now, e); v.Outcome == ledger.Void {
			t.Fatalf("Apply(%T) is void: %s, want it accepted", e, v.Why)
		}
	}
	return s, now
}

func twoStages() *subjects.Submitted {
	stage := func(name string, tasks uint32, from ...spec.From) spec.Stage {
		return spec.Stage{Name: name, Argv: []string{"true"}, Tasks: tasks, CPU: 1, Memory: 1 << 20, From: from}
	}
	return &subjects.Submitted{Job: "j", At: start.UnixNano(), Spec: spec.Job{Name: "j", Type: "j",
		Stages: []spec.Stage{stage("map", 2), stage("reduce", 1, spec.From{Stage: 0})}}}
}

func TestOfCountsAndSumsUp(t *testing.T) {
	s, now := pool(t,
		&subjects.Joined{Host: "a", Cores: 2, Slots: 2, Memory: 1 << 30},
		&subjects.Joined{Host: "b", Cores: 4, Slots: 4, Memory: 1 << 30},
		twoStages(), &subjects.Admitted{Job: "j", Mode: "affected"},
		&subjects.Assigned{Host: "a", Job: "j", Term: 1, Try: 1, Width: 1})
	usage := map[string]*subjects.Usage{
		"a": {Cores: 2, Primary: 0.5, Batch: 1, At: now.UnixNano()},
		"b": {Cores: 4, Primary: 3, Batch: 1, At: now.Add(-time.Minute).UnixNano()}, // stale
	}
	v := Of(s, s.Job("j"), usage, now)
	if v.CPU != (subjects.CPUSum{Hosts: 1, Cores: 2, Primary: 0.5, Harvested: 1}) {
		t.Errorf("CPU = %+v, want 1 host, 2 cores, 0.5 primary, 1 harvested", v.CPU)
	}
	if m := v.Stages[0]; m.Tasks != 2 || m.Held != 1 || len(m.WaitsFor) != 0 {
		t.Errorf("map = %+v, want two tasks, one held, waiting for nothing", m)
	}
	if r := v.Stages[1]; len(r.WaitsFor) != 1 || r.WaitsFor[0] != "map" {
		t.Errorf("reduce = %+v, want it to wait for map", r)
	}
}

func TestAnEndedJobRunsNothing(t *testing.T) {
	s, now := pool(t,
		&subjects.Joined{Host: "a", Cores: 2, Slots: 2, Memory: 1 << 30},
		twoStages(), &subjects.Admitted{Job: "j", Mode: "affected"},
		&subjects.Assigned{Host: "a", Job: "j", Term: 1, Try: 1, Width: 1},
		&subjects.Cancelled{Job: "j"})
	if m := Of(s, s.Job("j"), nil, now).Stages[0]; m.Held != 0 {
		t.Errorf("tasks of a cancelled job shown as running = %d, want 0", m.Held)
	}
}

func TestNoteSaysWhyNothingHappens(t *testing.T) {
	joined := &subjects.Joined{Host: "a", Cores: 2, Slots: 2, Memory: 1 << 30}
	admitted := &subjects.Admitted{Job: "j", Mode: "affected"}
	assigned := &subjects.Assigned{Host: "a", Job: "j", Term: 1, Try: 1, Width: 1}
	earlier := twoStages()
	earlier.Job = "i"
	for want, events := range map[string][]subjects.Event{
		"waiting for the verdict of admission":             {joined, twoStages()},
		"no host is up: start one with lull agent":         {twoStages(), admitted},
		"every host is paused or draining: see lull hosts": {joined, &subjects.Drained{Host: "a"}, twoStages(), admitted},
		"the pool is paused: lull resume --all goes on":    {joined, &subjects.PoolPaused{}, twoStages(), admitted},
		"every host that runs it is paused: lull resume HOST goes on, lull hosts shows which": {
			joined, twoStages(), admitted, assigned, &subjects.Paused{Host: "a"}},
		"": {joined, twoStages(), admitted, assigned, &subjects.Drained{Host: "a"}},
		"queue default runs 1 job at a time, and 1 came before it: lull jobs --queue default --state open lists them": {
			joined, &subjects.Shared{Queue: "default", Weight: 1, Jobs: 1}, earlier, &subjects.Admitted{Job: "i"}, twoStages(), admitted},
	} {
		s, now := pool(t, events...)
		if got := Of(s, s.Job("j"), nil, now).Note; got != want {
			t.Errorf("the note is %q, want %q", got, want)
		}
	}
}

func TestAnEndIsPredictedOnceEachStageIsKnown(t *testing.T) {
	events := []subjects.Event{twoStages(), &subjects.Admitted{Job: "j", Mode: "affected", Finish: start.Add(time.Hour).UnixNano()}}
	for _, c := range []struct {
		learns *subjects.Fitted
		want   string
	}{
		{nil, "guessed to finish in"},
		{&subjects.Fitted{Type: "j:map", A: 3, Low: 0.05, High: 1, Samples: 40}, "guessed to finish in"},
		{&subjects.Fitted{Type: "j:reduce", A: 3, Low: 0.05, High: 1, Samples: 1}, "predicted to finish in"},
	} {
		if c.learns != nil {
			events = append(events, c.learns)
		}
		s, now := pool(t, events...)
		if line := Line(Of(s, s.Job("j"), nil, now)); !strings.Contains(line, c.want) {
			t.Errorf("with %+v: %q, want %q", c.learns, line, c.want)
		}
	}
}
