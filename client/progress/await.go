package progress

import (
	"fmt"
	"strings"
	"time"

	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/spec"
)

// awaitNote says which jobs a job waits for, "" if none.
func awaitNote(d *subjects.JobDetail, now time.Time) string {
	if d.Unmet != "" {
		return "it will be cancelled: " + d.Unmet
	}
	var jobs []string
	for _, a := range d.Awaits {
		how := "to finish"
		switch a.On {
		case spec.OnFailed:
			how = "to fail"
		case spec.OnAny:
			how = "to end"
		}
		text := a.Job + " " + how
		if end := humane.Unix(a.Finish); end.After(now) {
			text += fmt.Sprintf(" (predicted %s)", humane.When(end, now))
		}
		jobs = append(jobs, text)
	}
	const most = 3
	if more := len(jobs) - most; more > 0 {
		jobs = append(jobs[:most], fmt.Sprintf("%s more", humane.Count(more, "job")))
	}
	if len(jobs) == 0 {
		return ""
	}
	return "it waits for " + strings.Join(jobs, ", for ")
}
