package jobs

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"lull/client/progress"
	"lull/cmd/lull/commands/listing"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// jobRow is a job in lists: jobs --output json is an array of these. Times are
// RFC 3339, absent when there is none.
type jobRow struct {
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	State      string  `json:"state"` // submitted, trying, admitted, finished, failed, cancelled, rejected
	Type       string  `json:"type,omitempty"`
	Queue      string  `json:"queue,omitempty"`
	User       string  `json:"user,omitempty"`   // submitter, from the subject
	Client     string  `json:"client,omitempty"` // submitter that the message claims
	Tasks      uint32  `json:"tasks"`
	Done       int     `json:"done"`
	Running    int     `json:"running"`
	Cancelled  uint32  `json:"cancelled,omitempty"` // tasks
	Attempts   uint32  `json:"attempts"`
	Evicted    uint32  `json:"evicted"`
	Failed     uint32  `json:"failed"`
	CPUSeconds float64 `json:"cpu_seconds"`
	Lost       float64 `json:"lost_cpu_seconds,omitempty"` // to evictions, since the last checkpoint of each task
	Submitted  string  `json:"submitted,omitempty"`
	Ended      string  `json:"ended,omitempty"`
	Deadline   string  `json:"deadline,omitempty"`
	Finish     string  `json:"finish,omitempty"` // predicted
	Endangered bool    `json:"endangered,omitempty"`
	// DeadlineLeft is how long before its deadline a finished job ended; negative if it missed it.
	DeadlineLeft *float64 `json:"deadline_left_seconds,omitempty"`

	Earliest string `json:"earliest,omitempty"` // earliest safe deadline, of a rejected job
	Code     string `json:"code,omitempty"`
	Text     string `json:"text,omitempty"`
	Output   string `json:"output,omitempty"`

	line subjects.JobLine
}

func rowOfLine(l subjects.JobLine) jobRow {
	var left *float64
	if l.State == ledger.Finished.String() && l.Deadline != 0 {
		left = new(float64(l.Deadline-l.Ended) / 1e9)
	}
	return jobRow{
		DeadlineLeft: left,

		ID: l.Job, Name: l.Name, State: l.State, Type: l.Type, Queue: l.Queue, User: l.User, Client: l.Client,
		Tasks: l.Totals.Tasks, Done: int(l.Done), Running: int(l.Running), Cancelled: l.Cancelled,
		Attempts: l.Totals.Attempts, Evicted: l.Totals.Evicted, Failed: l.Totals.Failed, CPUSeconds: l.Totals.CPU, Lost: l.Lost,
		Submitted: listing.Stamp(l.Submitted), Ended: listing.Stamp(l.Ended), Deadline: listing.Stamp(l.Deadline), Finish: listing.Stamp(l.Finish),
		Endangered: l.Endangered, Earliest: listing.Stamp(l.Earliest),
		Code: l.Code, Text: l.Text, Output: l.Output, line: l,
	}
}

var jobHeader = []string{"JOB", "STATE", "DONE", "QUEUE", "SUBMITTED", "TOOK", "DEADLINE", ""}

// cells are a job's columns for people.
func (r jobRow) cells(now time.Time) []string {
	end := humane.Unix(r.line.Ended)
	if end.IsZero() {
		end = now
	}
	return []string{
		r.ID, r.State, fmt.Sprintf("%d/%d", r.Done, r.Tasks), cmp.Or(r.Queue, spec.DefaultQueue),
		humane.When(humane.Unix(r.line.Submitted), now), humane.Span(end.Sub(humane.Unix(r.line.Submitted))),
		humane.When(humane.Unix(r.line.Deadline), now), r.remark(),
	}
}

func (r jobRow) remark() string {
	switch {
	case r.Endangered:
		return "predicted to finish " + humane.Slack(r.line.Slack)
	}
	phase, _ := ledger.PhaseOf(r.State)
	kept := progress.Kept(phase, humane.Unix(r.line.Deadline), humane.Unix(r.line.Ended))
	text, _, _ := strings.Cut(r.Text, "\n")
	if r.Cancelled > 0 {
		text = strings.TrimSuffix(humane.Count(int(r.Cancelled), "task")+" cancelled; "+text, "; ")
	}
	return strings.TrimPrefix(strings.TrimSuffix(kept+"; "+text, "; "), "; ")
}
