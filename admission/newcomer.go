package admission

import (
	"lull/subjects"
	"lull/subjects/spec"
)

// newcomer is a job without a verdict.
type newcomer struct {
	id       string
	spec     *spec.Job
	inbox    uint64
	at       int64 // when it was submitted
	deadline int64
	trace    string
}

// until is when the trial of a job is over at the latest.
func (n newcomer) until() int64 { return n.at + max(n.deadline-n.at, 0)/tenth }

func (n newcomer) rejected(code, text string, earliest int64) *subjects.Rejected {
	return &subjects.Rejected{
		Job: n.id, Name: n.spec.Name, Inbox: n.inbox, Trace: n.trace,
		Code: code, Text: text, Earliest: earliest,
	}
}

func (n newcomer) tasks() int {
	tasks := 0
	for i := range n.spec.Stages {
		tasks += int(n.spec.Stages[i].Tasks)
	}
	return tasks
}
