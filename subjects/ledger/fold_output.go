package ledger

import "lull/subjects"

// outputLost reopens finished tasks with outputs on a lost host.
func (s *State) outputLost(e *subjects.OutputLost) Verdict {
	j, h := s.jobs[e.Job], s.hosts[e.Host]
	if j == nil || !j.Live() || h == nil || !h.Lost || int(e.Stage) >= len(j.Stages) {
		return void("no such job waits for a lost host's outputs")
	}
	st, reopened := j.Stages[e.Stage], false
	for _, i := range e.Tasks {
		if int(i) < st.Len() && st.state(i) == Done && st.at(i).host == h.id {
			st.reopen(i, 0)
			reopened = true
		}
	}
	if !reopened {
		return void("no such output was kept there")
	}
	return accepted
}

// outputMissing reopens a finished task after its output has vanished from a live host. It counts
// as a failure of the task: otherwise a host whose disk loses everything would make the same tasks
// run again and again.
func (s *State) outputMissing(now int64, e *subjects.OutputMissing) Verdict {
	j, h := s.jobs[e.Job], s.hosts[e.Host]
	switch {
	case j == nil || !j.Live():
		return void("no such job runs")
	case h == nil || h.Term != e.Term:
		return void("the host is unknown, or has joined again since")
	case int(e.Stage) >= len(j.Stages) || int(e.Task) >= j.Stages[e.Stage].Len():
		return void("the job has no such task")
	case !j.needs(int(e.Stage)):
		return void("no stage reads the output any more")
	}
	st := j.Stages[e.Stage]
	if st.state(e.Task) != Done || st.at(e.Task).attempt != e.Attempt || st.at(e.Task).host != h.id {
		return void("it is not the output that was committed")
	}
	st.recordMissingOutput(e.Task, j.Shape.Stages[e.Stage].Retries, now)
	return accepted
}

// leastRemakes is the least number of times that a task's output is made again, even if the stage
// has fewer retries: those are meant for failures of its command.
const leastRemakes = 3

// recordMissingOutput counts a failure of a done task whose output is gone, and puts the task back
// into the queue: after a second, then twice as long with each failure, up to a minute.
// When its retries are used up the task is dead.
func (st *Stage) recordMissingOutput(i, retries uint32, now int64) {
	t := st.at(i)
	t.fails = max(t.fails, t.fails+1) // saturates
	if uint32(t.fails) > max(retries, leastRemakes) || t.fails == 1<<8-1 {
		st.discard(i)
		return
	}
	st.reopen(i, now+min(firstBackoff<<min(t.fails-1, 10), lastBackoff))
}
