package story

import (
	"fmt"
	"time"

	"lull/subjects"
	"lull/subjects/humane"
)

// admitted writes the verdict as it was given: the prediction, how sure it was, and which jobs it
// pushed.
func (t *teller) admitted(at string, e *subjects.Admitted) {
	t.verdict = e
	t.sayf("%s admitted: %s%s.", at, orElse(e.Why, "it has no deadline"), predicted(e.Finish, e.Slack, t.job.Deadline))
	if e.Soonest != 0 && e.Latest != 0 {
		t.sayf("         90 %% interval of the end: %s to %s.", clock(e.Soonest), clock(e.Latest))
	}
	if e.Margin > 0 && t.detail == Full {
		t.sayf("         Predictions include a margin of %.0f %%, because earlier ones were too short.", 100*e.Margin)
	}
	switch e.Mode {
	case subjects.ModeEq7:
		t.sayf("         Only its own deadline was checked.")
	case subjects.ModeAll:
		t.sayf("         No deadline was checked: this pool admits every job that a host can run.")
	}
	t.pushes(e.Pushed)
}

func (t *teller) pushes(pushed []subjects.Push) {
	if len(pushed) == 0 {
		return
	}
	t.sayf("         It delays %s:", count(len(pushed)))
	for i, p := range pushed {
		if i == lastOf && len(pushed) > lastOf+1 {
			t.sayf("             and %s", humane.Count(len(pushed)-i, "less urgent job"))
			return
		}
		t.sayf("             %s by %s, %s", p.Job, humane.Seconds(p.By), humane.Slack(p.Slack))
	}
}

// count is how many jobs a verdict lists; the list is bounded.
func count(n int) string {
	if n == subjects.MaxPushed {
		return fmt.Sprintf("%d jobs or more", n)
	}
	return humane.Count(n, "job")
}

// endangered writes an episode's beginning, or its end.
func (t *teller) endangered(at string, e *subjects.Endangered) {
	word := "deadline at risk"
	if e.Slack >= 0 {
		word = "deadline no longer at risk"
	} else {
		t.episodes++
	}
	t.sayf("%s %s: %s%s.", at, word, orElse(e.Why, "the job is slower than predicted"), predicted(e.Finish, e.Slack, t.job.Deadline))
}

// promise says what became of the deadline of a job that finished.
func (t *teller) promise(end time.Time) string {
	if t.job.Deadline == 0 {
		return ""
	}
	left := humane.Unix(t.job.Deadline).Sub(end)
	switch {
	case t.verdict == nil || t.verdict.Mode == subjects.ModeAll:
		return ", " + humane.Slack(left.Seconds())
	case left >= 0 && t.episodes > 0:
		return fmt.Sprintf(", %s: deadline kept, after it was at risk %s", humane.Slack(left.Seconds()), often(t.episodes))
	case left >= 0:
		return fmt.Sprintf(", %s: deadline kept", humane.Slack(left.Seconds()))
	}
	return fmt.Sprintf(", %s: deadline missed", humane.Slack(left.Seconds()))
}

// often says how many times.
func often(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// brokenPromise says that a job which failed had been promised an end.
func (t *teller) brokenPromise() string {
	if t.job.Deadline == 0 || t.verdict == nil || t.verdict.Mode == subjects.ModeAll {
		return ""
	}
	return "; it had been admitted with a deadline"
}
