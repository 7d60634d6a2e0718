package ledger

import (
	"slices"
	"testing"

	"lull/subjects"
	"lull/subjects/spec"
)

// chain is a job of three stages: each task of the second reads one of the first, and the third reads all of the second. A
// fourth only waits for them.
func chain() spec.Job {
	stage := func(name string, tasks uint32) spec.Stage {
		return spec.Stage{Name: name, Argv: []string{"true"}, Tasks: tasks, CPU: 1, Memory: 1}
	}
	job := spec.Job{Name: "job", Type: "job", Stages: []spec.Stage{stage("a", 3), stage("b", 3), stage("c", 1), stage("d", 1)}}
	job.Stages[1].From = []spec.From{{Stage: 0, Element: true}}
	job.Stages[2].From = []spec.From{{Stage: 1}}
	job.Stages[3].After = []uint32{1}
	return job
}

// run gives a task away, and ends it unless end is nil.
func (sc *script) run(stage, task uint32, end func(subjects.Fact) subjects.Event) {
	id := subjects.TaskID{Stage: stage, Task: task}
	sc.must(&subjects.Assigned{Host: "h", Job: "j", TaskID: id, Term: 1, Slot: task, Width: 1, Try: 1})
	if end != nil {
		sc.must(end(subjects.Fact{TaskID: id, Term: 1, Attempt: sc.s.Seq}))
	}
}

func finish(f subjects.Fact) subjects.Event {
	return &subjects.Finished{Host: "h", Job: "j", Fact: f, Manifest: subjects.Digest{1}}
}

// ranChain has done all tasks but one of the first stage, as if max_failures had let the others go on.
func ranChain(t *testing.T) *script {
	sc := &script{t, New()}
	sc.must(&subjects.Joined{Host: "h", Slots: 8, Cores: 8, Memory: 99},
		&subjects.Submitted{Job: "j", Spec: chain()}, &subjects.Admitted{Job: "j"})
	for stage, tasks := range []uint32{3, 3, 1, 0} {
		for task := range tasks {
			sc.run(uint32(stage), task, finish)
		}
	}
	return sc
}

func refreshOf(doc spec.Job, again ...subjects.StageTasks) *subjects.Retried {
	return &subjects.Retried{Job: "j", Doc: &subjects.Submitted{Job: "j", Spec: doc}, Again: again}
}

func states(j *Job) (all [][]TaskState) {
	for _, st := range j.Stages {
		var of []TaskState
		for i := range uint32(st.Len()) {
			of = append(of, st.state(i))
		}
		all = append(all, of)
	}
	return all
}

// A retry with new pins runs what read a changed file, and what reads that, and keeps all else.
func TestARefreshRunsAgainWhatReadsAChangedInput(t *testing.T) {
	sc := ranChain(t)
	doc := chain()
	doc.Stages[0].Bytes = 77
	sc.must(&subjects.Cancelled{Job: "j"}, refreshOf(doc, subjects.StageTasks{Stage: 0, Tasks: []subjects.Span{{First: 1, Count: 1}}}))
	j := sc.s.Job("j")
	want := [][]TaskState{{Done, Waiting, Done}, {Done, Waiting, Done}, {Waiting}, {Waiting}}
	if got := states(j); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("states after the refresh = %v, want %v", got, want)
	}
	if j.DocSeq() != sc.s.Seq || j.Spec().Stages[0].Bytes != 77 || j.Stages[0].Bytes != 77 {
		t.Errorf("document of entry %d with %d bytes a task, want that of the retry, %d, with 77", j.DocSeq(), j.Spec().Stages[0].Bytes, sc.s.Seq)
	}
	again := New()
	if err := again.Restore(snapshotOf(t, sc.s)); err != nil || again.Job("j").DocSeq() != sc.s.Seq {
		t.Errorf("a snapshot keeps the document of entry %d (%v), want %d", again.Job("j").DocSeq(), err, sc.s.Seq)
	}
	sc.must(&subjects.Cancelled{Job: "j"}, &subjects.Retried{Job: "j"})
	if j.Spec().Stages[0].Bytes != 77 {
		t.Error("a second retry reads the earlier inputs, want the new ones")
	}
}

func TestARefreshIsRefused(t *testing.T) {
	first := subjects.StageTasks{Tasks: []subjects.Span{{Count: 1}}}
	other, fewer := chain(), chain()
	other.Stages[0].Tasks, other.Stages[1].Tasks = 4, 4
	fewer.Stages = fewer.Stages[:3]
	for name, e := range map[string]*subjects.Retried{
		"another number of tasks":  refreshOf(other, first),
		"another number of stages": refreshOf(fewer, first),
		"a task that is none":      refreshOf(chain(), subjects.StageTasks{Tasks: []subjects.Span{{First: 3, Count: 1 << 31}}}),
		"a stage that is none":     refreshOf(chain(), subjects.StageTasks{Stage: 9, Tasks: []subjects.Span{{Count: 1}}}),
		"no document":              {Job: "j", Again: []subjects.StageTasks{first}},
	} {
		sc := ranChain(t)
		sc.must(&subjects.Cancelled{Job: "j"})
		if v := sc.say(e); v.Outcome != Void || sc.s.Job("j").Phase != Cancelled {
			t.Errorf("%s: %+v, want it void", name, v)
		}
	}
	sc := ranChain(t)
	sc.run(3, 0, nil)
	sc.must(&subjects.Cancelled{Job: "j"})
	if v := sc.say(refreshOf(chain(), first)); v.Outcome != Void {
		t.Error("a refresh is accepted while an attempt of the earlier run could still commit, want it void")
	}
}
