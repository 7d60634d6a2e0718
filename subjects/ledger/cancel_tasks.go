package ledger

import "lull/subjects"

// tasksCancelled ends tasks of an open job that are neither done nor lost, and those that read them by task.
func tasksCancelled(s *State, e *subjects.TasksCancelled) Verdict {
	s.Inbox = max(s.Inbox, e.Inbox)
	j := s.jobs[e.Job]
	if j == nil || j.Phase.Ended() {
		return void("no job with this id is open")
	}
	sets, ok := namedTasks(j.Shape, e.Tasks)
	if !ok {
		return void("the job has no such tasks")
	}
	for i, st := range j.Stages { // what is done or lost stays so, with its readers
		for task := range sets[i] {
			if state := st.state(task); state != Waiting && state != Held {
				delete(sets[i], task)
			}
		}
	}
	addElementReaders(j, sets)
	n := 0
	for i, st := range j.Stages {
		for task := range st.size { // in order, so that every fold gives the same queue
			if _, ok := sets[i][task]; ok && drop(st, task) {
				n++
			}
		}
	}
	if len(e.Tasks) == 0 {
		return void("it names no task that all services and hosts could read: upgrade those of earlier releases")
	}
	if n == 0 {
		return void("none of these tasks waits or runs: they are done, failed or cancelled")
	}
	return accepted
}

// addElementReaders adds the tasks that read those of the sets by task: they have nothing to read.
func addElementReaders(j *Job, sets []TaskSet) {
	for grown := true; grown; { // stages may stand in any order
		grown = false
		for i := range sets {
			for _, from := range j.Shape.Stages[i].From {
				if from.Element {
					grown = sets[i].addReaders(sets[from.Stage], from, j.Stages[i].size) || grown
				}
			}
		}
	}
}

// drop ends a task that waits or is held, and reports whether it was such.
func drop(st *Stage, i uint32) bool {
	t := st.at(i)
	switch t.state {
	case Waiting:
		st.unqueue(i)
	case Held:
		if r := st.Rival(i); r != nil {
			r.withdraw()
		}
		st.Held--
	default:
		return false
	}
	t.state, t.attempt = Dropped, 0
	st.Dead++
	st.Dropped++
	return true
}

// TaskCancelled reports whether a user cancelled the attempt's task.
func (a *Attempt) TaskCancelled() bool {
	return int(a.Task.Stage) < len(a.Job.Stages) && a.stage().state(a.Task.Task) == Dropped
}

// droppedTasks lists the tasks of the job that a user cancelled, by stage.
func droppedTasks(j *Job) (all []subjects.StageTasks) {
	for i, st := range j.Stages {
		if st.Dropped == 0 {
			continue
		}
		of := subjects.StageTasks{Stage: uint32(i)}
		for task := range st.size {
			if st.state(task) == Dropped {
				of.Tasks = subjects.AppendTask(of.Tasks, task)
			}
		}
		all = append(all, of)
	}
	return all
}

// reopenReaders opens done tasks again that read what cancelled tasks will write, and the publication.
func reopenReaders(j *Job) {
	named := droppedTasks(j)
	if len(named) == 0 {
		return
	}
	again, _ := TasksAgain(j.Shape, named)
	for i, st := range j.Stages {
		runAgain(st, again[i])
	}
}
