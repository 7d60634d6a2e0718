package slotter

import (
	"fmt"
	"math"
	"strings"

	"lull/subjects"
	"lull/subjects/ledger"
)

// end says which jobs are finished, and which failed.
func (a *Actor) end(b *batch) {
	if !a.due.endings {
		return
	}
	a.due.endings = false
	for _, j := range a.jobs.bySeq {
		if e := a.ending(j.life); e != nil {
			b.add(e)
			a.due.endings = true
		}
	}
}

func (a *Actor) ending(j *ledger.Job) subjects.Event {
	totals := j.Totals
	totals.Seconds = math.Max(0, float64(a.now-j.Submitted)/1e9)
	if j.Complete() {
		return &subjects.JobFinished{Job: j.ID, Totals: totals}
	}
	if task, dead := j.Dead(); dead {
		code, text := a.blame(j, task)
		return &subjects.JobFailed{Job: j.ID, Code: code, Text: text, Totals: totals}
	}
	return nil
}

// fault is what is remembered of a job's last failed attempt.
type fault struct {
	Task   subjects.TaskID `msgpack:"task"`
	Host   string          `msgpack:"host"`
	Reason string          `msgpack:"reason"`
	Exit   int32           `msgpack:"exit"`
	Text   string          `msgpack:"text"`
	Tail   string          `msgpack:"tail"`
}

// maxTail bounds what a failure adds to a job's text, in bytes.
const maxTail = 2 << 10

func faultOf(e *subjects.Failed) fault {
	return fault{
		Task: e.TaskID, Host: e.Host, Reason: tail(e.Reason), Exit: e.Exit,
		Text: tail(e.Text), Tail: tail(e.Tail),
	}
}

// tail keeps the end of a text, as whole lines where there are several.
func tail(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= maxTail {
		return text
	}
	text = text[len(text)-maxTail:]
	if _, rest, ok := strings.Cut(text, "\n"); ok {
		text = rest
	}
	return strings.ToValidUTF8(text, "")
}

// blame says in words why a job failed: which task used up its retries, and
// how its last attempt ended.
func (a *Actor) blame(j *ledger.Job, task subjects.TaskID) (code, text string) {
	stage := &j.Shape.Stages[task.Stage]
	_, _, tries := j.Stages[task.Stage].Task(task.Task)
	text = fmt.Sprintf("stage %s, task %d failed %s", stage.Name, task.Task, times(tries))
	f, ok := a.faults[j.ID]
	if !ok {
		return subjects.ReasonExit, text
	}
	if f.Task == task && f.Reason == subjects.ReasonMissing {
		return f.Reason, f.missing(stage.Name)
	}
	if f.Task != task {
		text += fmt.Sprintf("; the job's last failure was task %d of stage %s", f.Task.Task, j.Shape.Stages[f.Task.Stage].Name)
	}
	return f.Reason, text + f.describe()
}

// missing says what to look at when outputs vanish from a host that lives.
func (f *fault) missing(stage string) string {
	return fmt.Sprintf("the output of task %d of stage %s vanished again and again before it was read, last on host %s from folder %s: "+
		"find out there what removes it (rm, a clean-up job, another disk), then retry the job", f.Task.Task, stage, f.Host, f.Text)
}

func times(tries int) string {
	if tries == 1 {
		return "once"
	}
	return fmt.Sprintf("for good after %d attempts", tries)
}

func (f *fault) describe() string {
	text := fmt.Sprintf(": %s on host %s", f.Reason, f.Host)
	switch {
	case f.Exit > 0:
		text += fmt.Sprintf(", exit status %d", f.Exit)
	case f.Exit < 0:
		text += fmt.Sprintf(", signal %d", -f.Exit)
	}
	if f.Text != "" {
		text += ": " + f.Text
	}
	if f.Tail != "" {
		text += "\n" + f.Tail
	}
	return text
}
