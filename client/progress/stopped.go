package progress

import (
	"fmt"

	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/ledger"
)

// Stopped names the tasks of a job that stand still because a signal stopped one of their processes, ""
// for none. speeds are what the hosts said last of attempts.
func Stopped(s *ledger.State, j *ledger.Job, speeds map[subjects.AttemptOn]subjects.Speed) string {
	first, n := "", 0
	for _, h := range s.Hosts() {
		for _, at := range h.Attempts() {
			pid := speeds[subjects.AttemptOn{Host: at.Host.Name, Attempt: at.ID}].Stopped
			if at.Job != j || !at.Holds() || pid == 0 {
				continue
			}
			if n++; n == 1 {
				first = fmt.Sprintf("task %s/%d stands still: its process %d on host %s was stopped by a signal, such as SIGSTOP, or SIGTTIN for reading from a terminal; kill -CONT %d there continues it",
					j.Shape.Stages[at.Task.Stage].Name, at.Task.Task, pid, h.Name, pid)
			}
		}
	}
	if n > 1 {
		first += fmt.Sprintf("; so do %s", humane.Count(n-1, "other task"))
	}
	return first
}
