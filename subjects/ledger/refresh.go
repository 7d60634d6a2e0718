package ledger

import (
	"lull/subjects"
	"lull/subjects/spec"
)

// DocSeq is the sequence of the entry that holds the job's document: its submission, or the last retry that pinned
// its inputs anew.
func (j *Job) DocSeq() uint64 {
	if j.refreshed != 0 {
		return j.refreshed
	}
	return j.Seq
}

// refresh gives an ended job the document of a retry, and puts the done tasks back into the queue whose inputs changed,
// and those that read what they wrote. It waits for the last attempt of the job's earlier life: that could still commit
// what it made of the earlier inputs.
func refresh(s *State, seq uint64, j *Job, e *subjects.Retried) Verdict {
	if e.Doc == nil && len(e.Again) == 0 {
		return accepted
	}
	again, ok := refreshedTasks(j, e)
	switch {
	case !ok:
		return void("the new inputs do not fit the job's stages: submit its document as a new job")
	case j.attempts > 0:
		return void("tasks of its earlier run have not ended yet: ask again once lull job shows none")
	}
	s.interner.describe(j, &e.Doc.Spec)
	j.refreshed = seq
	for i, st := range j.Stages {
		st.Bytes = e.Doc.Spec.Stages[i].Bytes
		runAgain(st, again[i])
	}
	return accepted
}

// refreshedTasks returns which tasks run again, by stage. It reports false if the retry's document does not fit the job.
func refreshedTasks(j *Job, e *subjects.Retried) ([]TaskSet, bool) {
	if e.Doc == nil || len(e.Doc.Spec.Stages) != len(j.Stages) || e.Doc.Spec.Validate() != nil {
		return nil, false
	}
	for i, st := range j.Stages {
		if e.Doc.Spec.Stages[i].Tasks != st.size {
			return nil, false
		}
	}
	return TasksAgain(&e.Doc.Spec, e.Again)
}

// runAgain puts those of the tasks that are done back into the queue.
func runAgain(st *Stage, tasks TaskSet) {
	for i := range st.tasks { // in order, so that every fold gives the same queue
		if _, again := tasks[uint32(i)]; again && st.tasks[i].state == Done {
			st.reopen(uint32(i), 0)
		}
	}
}

// TasksAgain returns, by stage, the tasks that run again: those named, and those that read what they wrote. It reports
// false if the job has no such tasks.
func TasksAgain(job *spec.Job, named []subjects.StageTasks) (again []TaskSet, ok bool) {
	if again, ok = namedTasks(job, named); !ok {
		return nil, false
	}
	for grown := true; grown; { // stages may stand in any order
		grown = false
		for i := range job.Stages {
			for _, from := range job.Stages[i].From {
				grown = again[i].addReaders(again[from.Stage], from, job.Stages[i].Tasks) || grown
			}
		}
	}
	return again, true
}

// mostNamed is how often an event may name each task of a stage, on average: what a client sends must not keep all
// services busy.
const mostNamed = 4

// namedTasks are the tasks that an event names, by stage; false if the job has no such tasks, or they are named again
// and again.
func namedTasks(job *spec.Job, named []subjects.StageTasks) (sets []TaskSet, ok bool) {
	sets = make([]TaskSet, len(job.Stages))
	for i := range sets {
		sets[i] = TaskSet{}
	}
	total := make([]uint64, len(sets))
	for _, of := range named {
		if int64(of.Stage) >= int64(len(sets)) || job.Stages[of.Stage].Publish {
			return nil, false
		}
		tasks := uint64(job.Stages[of.Stage].Tasks)
		for _, span := range of.Tasks {
			total[of.Stage] += uint64(span.Count)
			if uint64(span.First)+uint64(span.Count) > tasks || total[of.Stage] > mostNamed*tasks {
				return nil, false
			}
			sets[of.Stage].add(span.First, span.Count)
		}
	}
	return sets, true
}

// TaskSet are tasks of a stage, by index.
type TaskSet map[uint32]struct{}

func (s TaskSet) add(first, count uint32) {
	for i := range count {
		s[first+i] = struct{}{}
	}
}

// addReaders adds the tasks of a stage that read those of another, and reports whether there were new ones.
func (s TaskSet) addReaders(of TaskSet, from spec.From, tasks uint32) bool {
	before := len(s)
	switch {
	case len(of) == 0 || before == int(tasks):
	case from.Element:
		for task := range of {
			s[task] = struct{}{}
		}
	default:
		s.add(0, tasks)
	}
	return len(s) > before
}
