package story

import (
	"lull/actors"
	"lull/subjects"
	"lull/subjects/spec"
)

// Labels has the labels of a job's tasks: see spec.Stage.Label.
type Labels struct {
	job      *spec.Job // nil if the history does not have it any more
	reported map[subjects.TaskID]string
}

// LabelsOf takes the labels from a job's history: those that hosts reported with failures, and those that the job
// itself says.
func LabelsOf(history []actors.Entry) *Labels {
	l := &Labels{reported: map[subjects.TaskID]string{}}
	for _, entry := range history {
		switch e := entry.Event.(type) {
		case *subjects.Submitted:
			if l.job == nil { // a later one under the same id was refused
				l.job = &e.Spec
			}
		case *subjects.Failed:
			if e.Label != "" {
				l.reported[e.TaskID] = e.Label
			}
		}
	}
	return l
}

// Of returns a task's label. It is "" for a task that has none, and for one of a long list that never failed: only
// its host has looked into the list.
func (l *Labels) Of(id subjects.TaskID) string {
	if label := l.reported[id]; label != "" || l.job == nil {
		return label
	}
	return spec.LabelOf(l.job, id.Stage, id.Task)
}
