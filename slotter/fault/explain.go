package fault

import (
	"fmt"

	"lull/subjects"
	"lull/subjects/ledger"
)

// Explain says why a job failed: which task used up its retries, and how its last
// attempt ended. last is the job's last fault, nil if none is known. It may be that of
// another task.
func Explain(j *ledger.Job, task subjects.TaskID, last *Fault) (code, text string) {
	stage := &j.Shape.Stages[task.Stage]
	_, _, tries := j.Stages[task.Stage].Task(task.Task)
	text = fmt.Sprintf("stage %s, task %d failed %s", stage.Name, task.Task, times(tries))
	switch {
	case last == nil:
		return subjects.ReasonExit, text
	case last.Task == task && last.Reason == subjects.ReasonMissing:
		return last.Reason, last.missing(stage.Name)
	case last.Task != task:
		text += fmt.Sprintf("; the job's last failure was task %d of stage %s", last.Task.Task, j.Shape.Stages[last.Task.Stage].Name)
	}
	return last.Reason, text + last.describe()
}

func times(tries int) string {
	if tries == 1 {
		return "once"
	}
	return fmt.Sprintf("for good after %d attempts", tries)
}
