package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"lull/actors"
	"lull/client"
	"lull/client/progress"
	"lull/client/story"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/exit"
	"lull/subjects"
	"lull/subjects/ledger"
)

// ending is the last line of --json.
type ending struct {
	Job      string  `json:"job"`
	State    string  `json:"state"`
	Tasks    uint32  `json:"tasks"`
	Attempts uint32  `json:"attempts"`
	Evicted  uint32  `json:"evicted"`
	Seconds  float64 `json:"seconds"`
	Code     string  `json:"code,omitempty"`
	Text     string  `json:"text,omitempty"`
	Earliest string  `json:"earliest,omitempty"` // RFC 3339, of a rejected job
	culprit
}

func endingOf(j *subjects.JobDetail, failure *progress.Failure) ending {
	t := j.Totals
	return ending{
		Job: j.Job, State: j.State, Tasks: t.Tasks, Attempts: t.Attempts, Evicted: t.Evicted,
		Seconds: t.Seconds, Code: j.Code, Text: j.Text, Earliest: listing.Stamp(j.Earliest), culprit: culpritOf(failure),
	}
}

// culprit is the task that ended a job.
type culprit struct {
	Task  string `json:"task,omitempty"`  // STAGE/NUMBER
	Label string `json:"label,omitempty"` // see spec.Stage.Label
}

func culpritOf(failure *progress.Failure) culprit {
	if failure == nil {
		return culprit{}
	}
	return culprit{failure.Name(), failure.Label}
}

// outcome returns the exit code of an ended job, in an error without text: that has been printed.
func outcome(phase ledger.Phase) error {
	code, ok := map[ledger.Phase]int{
		ledger.Failed: exit.Failed, ledger.Rejected: exit.Rejected, ledger.Cancelled: exit.Cancelled,
	}[phase]
	if !ok {
		return nil
	}
	return exit.With(code, nil)
}

// form is how an ending is printed.
type form struct {
	json    bool     // as a line of JSON, else as a summary
	carried bool     // this process delivers the results itself, and says where
	argv    []string // the command line that submitted it, nil for another one
}

// reportEnd says how an ended job ended: a line of JSON, or a summary.
func reportEnd(ctx context.Context, c *client.Client, j *subjects.JobDetail, as form, out io.Writer) error {
	failure, err := failureOf(ctx, c, j)
	if err != nil {
		return err
	}
	if as.json {
		return json.NewEncoder(out).Encode(endingOf(j, failure))
	}
	view := progress.From(j, time.Now())
	view.Kept = view.Kept && !as.carried
	if view.Promise, err = promiseOf(ctx, c, j); err != nil {
		return err
	}
	text := progress.Summary(view, failure)
	if advice := goOn(as.argv, j.Code, view.Earliest); advice != "" && view.Phase == ledger.Rejected {
		text += "\n" + advice
	}
	_, err = fmt.Fprintln(out, text)
	return err
}

// failureOf returns the failure of a task that ended a job; nil if the job has not failed, or if its text says what is
// to blame.
func failureOf(ctx context.Context, c *client.Client, j *subjects.JobDetail) (*progress.Failure, error) {
	forgotten := len(j.Stages) == 0
	if j.State != ledger.Failed.String() || j.Code == subjects.ReasonMissing || j.Dead == nil && !forgotten {
		return nil, nil
	}
	history, err := c.History(ctx, j.Job)
	if err != nil {
		return nil, err
	}
	last := fatal(j.Dead, history)
	if last == nil || int(last.Stage) >= len(j.Stages) {
		return nil, nil
	}
	return &progress.Failure{
		Stage: j.Stages[last.Stage].Name, Times: story.Failures(history, last.TaskID), Label: story.LabelsOf(history).Of(last.TaskID), Failed: last,
	}, nil
}

// promiseOf returns what admission said of the end of a job that has a deadline.
func promiseOf(ctx context.Context, c *client.Client, j *subjects.JobDetail) (p progress.Promise, err error) {
	if j.Deadline == 0 || j.State == ledger.Rejected.String() {
		return p, nil
	}
	history, err := c.History(ctx, j.Job)
	for _, e := range history {
		if e, ok := e.Event.(*subjects.Admitted); ok {
			p = progress.PromiseOf(e)
		}
	}
	return p, err
}

// fatal returns the failure that ended a job: the last one of the task that used up its retries,
// which the job's reason names, if that is known. A task that failed after it is not to blame.
func fatal(dead *subjects.TaskID, history []actors.Entry) *subjects.Failed {
	if dead != nil {
		if last := story.FailureOf(history, *dead); last != nil {
			return last
		}
	}
	return story.LastFailure(history)
}
