package story

import (
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

func TestWhereAJobIsPlaced(t *testing.T) {
	for want, e := range map[string]*subjects.Placed{
		"10:00 placed on 2 hosts (fast): predicted to take 50 s from its first task on, 20% of its slots' time for moving data.\n" +
			"         Simpler rules: RR-R 1m 20s. No hosts can do it in less than 49 s.\n" +
			"         Hosts: a, b.\n": {
			Objective: "fast", Seconds: 50, Moving: 0.2, Bound: 49, Baselines: []subjects.PlacedBy{{Policy: "RR-R", Seconds: 80}},
			Hosts: []subjects.PlacedHost{{Host: "a", Slots: 1}, {Host: "b", Slots: 2}},
		},
		"10:00 not placed: moving data is predicted to take 2% of its time.\n":                                                     {Why: subjects.PlacedLittle, Moving: 0.02},
		"10:00 not placed: waiting for the slots of chosen hosts might cost it more than it would gain there.\n":                   {Why: subjects.PlacedGain},
		"10:00 not placed: no host with a rack has a slot for its tasks (3 hosts left out), again because hosts of it are gone.\n": {Why: subjects.PlacedNowhere, Left: 3, Anew: subjects.PlacedLost},
	} {
		told := teller{}
		told.placed("10:00", e)
		if got := told.text.String(); got != want {
			t.Errorf("story =\n%s\nwant\n%s", got, want)
		}
	}
}

func TestAPredictionIsComparedWithTheTruth(t *testing.T) {
	j := &ledger.Job{Shape: &spec.Job{Stages: []spec.Stage{{Name: "only"}, {Publish: true}}}}
	var p placing
	at := func(second int64, e subjects.Event) { p.note(actors.Entry{Time: time.Unix(second, 0), Event: e}, j) }
	at(1, &subjects.Placed{Seconds: 50})
	at(2, &subjects.Assigned{})
	at(42, &subjects.Finished{})
	at(90, &subjects.Finished{Fact: subjects.Fact{TaskID: subjects.TaskID{Stage: 1}}})
	if got, want := p.verdict(), "Predicted to take 50 s from its first task on, it took 40 s: 25% too long."; got != want {
		t.Errorf("verdict() = %q, want %q", got, want)
	}
	at(50, &subjects.Placed{Seconds: 20, Anew: subjects.PlacedLost})
	if got := p.verdict(); got != "" {
		t.Errorf("verdict of a job placed twice = %q, want none", got)
	}
}
