package fault

import (
	"fmt"
	"strings"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// Explain returns the code and the text of why a job failed: which task used up its retries, and how
// that task's last attempt ended. last is the job's last fault, nil if none is known. If last is the
// fault of another task, the text says so.
func Explain(j *ledger.Job, task subjects.TaskID, last *Fault) (code, text string) {
	stage := &j.Shape.Stages[task.Stage]
	left := "no retries left"
	switch {
	case last == nil || last.Task != task:
	case last.Final:
		left = "another attempt would fail, too"
	case last.Again:
		left = fmt.Sprintf("it had %d attempts, the most that `on_exit: again` goes on for", spec.MostAgain)
	}
	text = fmt.Sprintf("task %s/%d failed%s; %s", stage.Name, task.Task, times(ledger.Fails(j.Stages[task.Stage], task.Task)), left)
	switch {
	case last == nil:
		return subjects.ReasonExit, text
	case last.Task == task && last.Reason == subjects.ReasonMissing:
		return last.Reason, last.missing(stage.Name)
	case last.Task != task:
		text += fmt.Sprintf("; the job's last failure was task %s/%d", j.Shape.Stages[last.Task.Stage].Name, last.Task.Task)
	}
	return last.Reason, text + ": " + last.describe()
}

// Unpublishable returns the code and the text of a job that failed because none of the hosts that are
// allowed to publish its results could write them.
func Unpublishable(hosts []string, last *Fault) (code, text string) {
	text = fmt.Sprintf("the results cannot be published from any host that might (%s)", names(hosts))
	if last != nil {
		text += ": " + last.Text
	}
	return subjects.ReasonOutput, text
}

// names lists the first five hosts, and how many more there are.
func names(hosts []string) string {
	const most = 5
	text := strings.Join(hosts[:min(len(hosts), most)], ", ")
	if more := len(hosts) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// Nowhere returns the code and the text of a job that failed because a stage's command is installed on
// none of the hosts that could run it.
func Nowhere(stage string, hosts []string, last *Fault) (code, text string) {
	text = fmt.Sprintf("the command of stage %s was not found on any host that could run it (%s)", stage, names(hosts))
	if last != nil {
		text += ": " + last.describe()
	}
	return subjects.ReasonNotFound, text
}

func times(fails int) string {
	if fails < 2 {
		return ""
	}
	return fmt.Sprintf(" %d times", fails)
}
