package story

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/ledger"
)

// part says how much of bytes is done: "3.1 of 8.0 GB".
func part(done, whole int64) string {
	of := humane.Bytes(whole)
	_, unit, _ := strings.Cut(of, " ")
	return strings.TrimSuffix(humane.Bytes(done), " "+unit) + " of " + of
}

// Storing describes how far the results of tasks are stored that have exited, "" if none is that far. Task is nil for
// all tasks of the job.
func Storing(s *ledger.State, j *ledger.Job, task *subjects.TaskID, speeds map[subjects.AttemptOn]subjects.Speed) string {
	var found []*ledger.Attempt
	for _, h := range s.Hosts() {
		for _, at := range h.Attempts() {
			if at.Job == j && at.Holds() && speeds[subjects.AttemptOn{Host: at.Host.Name, Attempt: at.ID}].Storing > 0 && (task == nil || at.Task == *task) {
				found = append(found, at)
			}
		}
	}
	slices.SortFunc(found, func(a, b *ledger.Attempt) int { return cmp.Compare(a.ID, b.ID) })
	var text strings.Builder
	for _, at := range found[:min(len(found), lastOf)] {
		speed := speeds[subjects.AttemptOn{Host: at.Host.Name, Attempt: at.ID}]
		fmt.Fprintf(&text, "Task %s/%d is storing its results, %s.\n", j.Shape.Stages[at.Task.Stage].Name, at.Task.Task, part(speed.Stored, speed.Storing))
	}
	if more := len(found) - lastOf; more > 0 {
		fmt.Fprintf(&text, "%s more are storing their results.\n", humane.Count(more, "task"))
	}
	return text.String()
}
