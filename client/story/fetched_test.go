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

func TestAStoryTellsWhatWasFetched(t *testing.T) {
	stages := []spec.Stage{
		{Name: "map", Argv: []string{"true"}, Tasks: 1, CPU: 1, Memory: 1 << 20},
		{Name: "reduce", Argv: []string{"true"}, Tasks: 2, CPU: 1, Memory: 1 << 20, From: []spec.From{{Stage: 0}}},
	}
	s := ledger.New()
	var history []actors.Entry
	say := func(e subjects.Event) uint64 {
		seq := uint64(len(history) + 1)
		at := start.Add(time.Duration(seq) * time.Second)
		s.Apply(seq, at, e)
		history = append(history, actors.Entry{Seq: seq, Time: at, Event: e})
		return seq
	}
	ran := func(what subjects.TaskID, f subjects.Fetch) {
		attempt := say(&subjects.Assigned{Host: "alpha", Job: "wc-a", TaskID: what, Term: 1, Try: 1, Width: 1})
		say(&subjects.Finished{Host: "alpha", Job: "wc-a", Fact: subjects.Fact{TaskID: what, Term: 1, Attempt: attempt}, Run: subjects.Run{Seconds: 3}, Files: 1, Fetch: f})
	}
	say(&subjects.Joined{Host: "alpha", Cores: 4, Slots: 4, Memory: 1 << 30})
	say(&subjects.Submitted{Job: "wc-a", Spec: spec.Job{Name: "wc", Type: "wc", Stages: stages}})
	say(&subjects.Admitted{Job: "wc-a"})
	ran(subjects.TaskID{}, subjects.Fetch{})
	ran(subjects.TaskID{Stage: 1}, subjects.Fetch{Fetching: 6, Fetched: []subjects.Fetched{{Rack: "r1", Bytes: 100e6, Seconds: 2}, {Rack: "r2", Bytes: 700e6, Seconds: 6}}})
	ran(subjects.TaskID{Stage: 1, Task: 1}, subjects.Fetch{Fetching: 10, Fetched: []subjects.Fetched{{Bytes: 400e6, Seconds: 10}}})

	j, now := s.Job("wc-a"), start.Add(time.Minute)
	told := Job(s, j, history, nil, now, Brief)
	if want := "Stage reduce fetched 1.2 GB from other hosts (rack r2: 700 MB, rack r1: 100 MB): 8 s for each of 2 tasks on average.\n"; !strings.Contains(told, want) || strings.Contains(told, "Stage map fetched") {
		t.Errorf("want %q in\n%s", want, told)
	}
	told = Task(j, subjects.TaskID{Stage: 1, Task: 1}, history, now, Brief)
	if want := "1 file of output. It had fetched 400 MB from other hosts before, in 10 s.\n"; !strings.Contains(told, want) {
		t.Errorf("want %q in\n%s", want, told)
	}
}
