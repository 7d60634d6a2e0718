package pool

import (
	"lull/subjects"
	"lull/subjects/spec"
)

// Newcomer is a job without a verdict.
type Newcomer struct {
	ID       string
	Spec     *spec.Job
	Inbox    uint64
	At       int64 // when it was submitted
	Deadline int64
	Trace    string
}

// Until is when the trial of a job is over at the latest.
func (n Newcomer) Until() int64 { return n.At + max(n.Deadline-n.At, 0)/tenth }

// Rejected is the event that rejects the job.
func (n Newcomer) Rejected(code, text string, earliest int64) *subjects.Rejected {
	return &subjects.Rejected{
		Job: n.ID, Name: n.Spec.Name, Inbox: n.Inbox, Trace: n.Trace,
		Code: code, Text: text, Earliest: earliest,
	}
}

// Tasks is how many tasks the job has.
func (n Newcomer) Tasks() int {
	tasks := 0
	for i := range n.Spec.Stages {
		tasks += int(n.Spec.Stages[i].Tasks)
	}
	return tasks
}
