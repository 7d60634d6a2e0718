package story

import (
	"strings"

	"lull/subjects"
	"lull/subjects/humane"
)

// refreshed says of how many tasks a retry pinned the inputs anew, "" if of none.
func refreshed(t *teller, again []subjects.StageTasks) string {
	if len(again) == 0 {
		return ""
	}
	return "; inputs changed for " + counted(t, again) + ", which run again as does all that reads what they wrote"
}

// tasksCancelled writes that a user cancelled tasks.
func tasksCancelled(t *teller, at string, e *subjects.TasksCancelled) {
	if len(e.Tasks) == 0 {
		return // it was refused
	}
	t.sayf("%s %s cancelled%s%s: the job goes on without, and what of them was done or had failed stays so.", at, counted(t, e.Tasks), by(e.User, e.Who), reason(e.Why))
}

// counted says how many tasks of each stage there are: "3 tasks of map, 1 task of sum".
func counted(t *teller, tasks []subjects.StageTasks) string {
	var parts []string
	for _, of := range tasks {
		parts = append(parts, humane.Count(of.Count(), "task")+" of "+t.stage(of.Stage))
	}
	return strings.Join(parts, ", ")
}
