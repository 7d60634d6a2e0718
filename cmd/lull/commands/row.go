package commands

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"lull/cmd/lull/commands/humane"
	"lull/subjects/ledger"
)

// jobRow is a job in lists: jobs --output json is an array of these. Times are
// RFC 3339, absent when there is none.
type jobRow struct {
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	State      string  `json:"state"` // submitted, admitted, finished, failed, cancelled, rejected
	Type       string  `json:"type,omitempty"`
	Queue      string  `json:"queue,omitempty"`
	User       string  `json:"user,omitempty"`   // whom the server vouches for
	Client     string  `json:"client,omitempty"` // what the submission claims
	Tasks      uint32  `json:"tasks"`
	Done       int     `json:"done"`
	Running    int     `json:"running"`
	Attempts   uint32  `json:"attempts"`
	Evicted    uint32  `json:"evicted"`
	Failed     uint32  `json:"failed"`
	CPUSeconds float64 `json:"cpu_seconds"`
	Submitted  string  `json:"submitted,omitempty"`
	Ended      string  `json:"ended,omitempty"`
	Deadline   string  `json:"deadline,omitempty"`
	Finish     string  `json:"finish,omitempty"` // predicted
	Endangered bool    `json:"endangered,omitempty"`
	Earliest   string  `json:"earliest,omitempty"` // earliest safe deadline, of a rejected job
	Code       string  `json:"code,omitempty"`
	Text       string  `json:"text,omitempty"`
	Output     string  `json:"output,omitempty"`

	job *ledger.Job
}

func rowOf(j *ledger.Job) jobRow {
	row := jobRow{
		ID: j.ID, Name: j.Spec.Name, State: j.Phase.String(), Type: j.Spec.Type, Queue: j.Spec.Queue, User: j.User, Client: j.Client,
		Tasks: j.Totals.Tasks, Running: j.Held(),
		Attempts: j.Totals.Attempts, Evicted: j.Totals.Evicted, Failed: j.Totals.Failed, CPUSeconds: j.Totals.CPU,
		Submitted: stamp(j.Submitted), Ended: stamp(j.Ended), Deadline: stamp(j.Deadline), Finish: stamp(j.Finish),
		Endangered: j.Endangered && !j.Phase.Ended(), Earliest: stamp(j.Earliest),
		Code: j.Code, Text: j.Text, Output: j.Spec.Output, job: j,
	}
	for _, st := range j.Stages {
		row.Done += st.Done
	}
	if j.Phase == ledger.Finished {
		row.Done = int(j.Totals.Tasks) // also when only a summary is left
	}
	return row
}

var jobHeader = []string{"JOB", "STATE", "DONE", "QUEUE", "SUBMITTED", "TOOK", "DEADLINE", ""}

// cells are a job's columns for people.
func (r jobRow) cells(now time.Time) []string {
	end := humane.Unix(r.job.Ended)
	if end.IsZero() {
		end = now
	}
	return []string{
		r.ID, r.State, fmt.Sprintf("%d/%d", r.Done, r.Tasks), r.job.Spec.Share(),
		humane.When(humane.Unix(r.job.Submitted), now), humane.Span(end.Sub(humane.Unix(r.job.Submitted))),
		humane.When(humane.Unix(r.job.Deadline), now), r.remark(),
	}
}

// maxRemark is how much of a reason a table shows; lull job shows all of it.
const maxRemark = 60

func (r jobRow) remark() string {
	switch {
	case r.Endangered:
		return "predicted to finish " + humane.Slack(r.job.Slack)
	case r.Text != "":
		text, _, _ := strings.Cut(r.Text, "\n")
		return ansi.Truncate(text, maxRemark, "…")
	}
	return ""
}
