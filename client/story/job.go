package story

import (
	"fmt"
	"strings"
	"time"

	"lull/actors"
	"lull/client/progress"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/ledger"
)

// Detail is how much a story contains.
type Detail bool

// Brief is a story in words; Full adds the figures that decided and the ids of attempts.
const (
	Brief Detail = false
	Full  Detail = true
)

// lastOf is how many of many similar events are written one by one: the last ones.
const lastOf = 3

// Job writes the life of a job: the verdict, what happened to it as a whole, why its tasks went
// where they went, and what it waits for. usage has each host's last sample.
func Job(s *ledger.State, j *ledger.Job, history []actors.Entry, usage map[string]*subjects.Usage, now time.Time, detail Detail) string {
	t := teller{job: j, detail: detail, now: now.Local(), labels: LabelsOf(history)}
	for _, e := range history {
		t.fact(e)
	}
	t.assignments(history)
	t.fetches(history)
	t.endings(history)
	t.backoffs(now)
	tellAtOnce(&t)
	if note := progress.Of(s, j, usage, now).Note; note != "" {
		t.sayf("Now: %s.", note)
	}
	if len(history) == 0 {
		t.sayf("The log no longer has the history of %s: it %s.", j.ID, ended(j))
	}
	return t.text.String()
}

func ended(j *ledger.Job) string {
	if j.Phase.Ended() {
		return "ended as " + j.Phase.String()
	}
	return "is " + j.Phase.String()
}

type teller struct {
	job       *ledger.Job
	now       time.Time // its zone is that of all times of day
	detail    Detail
	text      strings.Builder
	verdict   *subjects.Admitted // nil before it, and without one
	episodes  int                // in which its deadline was in danger
	placing   placing
	lifecycle lifecycle
	labels    *Labels
}

func (t *teller) sayf(format string, args ...any) {
	fmt.Fprintf(&t.text, format+"\n", args...)
}

// fact writes what happened to the job as a whole.
func (t *teller) fact(entry actors.Entry) {
	at := humane.Clock(entry.Time, t.now)
	t.placing.note(entry, t.job)
	t.lifecycle.note(entry.Event)
	switch e := entry.Event.(type) {
	case *subjects.Submitted:
		t.sayf("%s submitted%s: %s in %s%s.", at, by(e.User, e.Client), humane.Count(tasks(e), "task"),
			humane.Count(len(e.Spec.Stages), "stage"), due(e.Deadline))
	case *subjects.Trying:
		t.sayf("%s on trial: a few of its tasks run first, and the verdict follows from how long they take, by %s at the latest: %s.", at, clock(e.Until), e.Why)
	case *subjects.Admitted:
		t.admitted(at, e)
	case *subjects.Rejected:
		t.sayf("%s rejected (%s): %s.", at, e.Code, strings.ReplaceAll(strings.TrimSuffix(e.Text, "."), "\n", "\n         "))
		if e.Earliest != 0 {
			t.sayf("         Earliest safe deadline: %s.", clock(e.Earliest))
		}
	case *subjects.Steered:
		t.steered(at, e)
	case *subjects.Placed:
		t.placed(at, e)
	case *subjects.Endangered:
		t.endangered(at, e)
	case *subjects.Cancelled:
		if !t.lifecycle.cancelled {
			t.sayf("%s a cancel%s was refused%s: the job had ended.", at, by(e.User, e.Who), reason(e.Why))
			return
		}
		t.sayf("%s cancelled%s%s.", at, by(e.User, e.Who), reason(e.Why))
	case *subjects.Retried:
		if !t.lifecycle.retried {
			t.sayf("%s a retry%s was refused%s: the job had neither failed nor been cancelled.", at, by(e.User, e.Who), reason(e.Why))
			return
		}
		t.sayf("%s retried%s%s%s%s.", at, by(e.User, e.Who), reason(e.Why), lateAgain(e.Late), refreshed(t, e.Again))
	case *subjects.TasksCancelled:
		tasksCancelled(t, at, e)
	case *subjects.OutputLost:
		t.sayf("%s %s of %s run again: host %s is lost with their outputs.", at, humane.Count(len(e.Tasks), "task"), t.stage(e.Stage), e.Host)
	case *subjects.StageFailed:
		said, wrote, _ := strings.Cut(e.Text, "\n")
		t.sayf("%s stage %s failed (%s): %s.%s", at, t.stage(e.Stage), e.Code, strings.TrimSuffix(said, "."), quoted(wrote))
	case *subjects.Finished:
		for line := range strings.Lines(e.Text) {
			t.sayf("%s publishing %s.", at, strings.TrimSpace(line))
		}
	case *subjects.JobFinished:
		t.sayf("%s finished after %s%s.", at, humane.Seconds(e.Totals.Seconds), t.promise(entry.Time))
		if text := t.placing.verdict(); text != "" {
			t.sayf("         %s", text)
		}
	case *subjects.JobFailed:
		said, wrote, _ := strings.Cut(e.Text, "\n") // what the task wrote last follows the sentence
		t.sayf("%s failed (%s): %s%s.%s", at, e.Code, strings.TrimSuffix(said, "."), t.brokenPromise(), quoted(wrote))
	}
}

func tasks(e *subjects.Submitted) (n int) {
	for _, st := range e.Spec.Stages {
		n += int(st.Tasks)
	}
	return n
}

func (t *teller) stage(i uint32) string {
	if int(i) < len(t.job.Shape.Stages) {
		return t.job.Shape.Stages[i].Name
	}
	return fmt.Sprintf("stage %d", i)
}

func (t *teller) task(id subjects.TaskID) string {
	return fmt.Sprintf("%s/%d", t.stage(id.Stage), id.Task)
}

func due(deadline int64) string {
	if deadline == 0 {
		return ", no deadline"
	}
	return ", due " + clock(deadline)
}

func predicted(finish int64, slack float64, deadline int64) string {
	if finish == 0 {
		return ""
	}
	text := "; predicted to finish " + clock(finish)
	if deadline != 0 {
		text += ", " + humane.Slack(slack)
	}
	return text
}

func clock(nanoseconds int64) string {
	return humane.Stamp(humane.Unix(nanoseconds).Local())
}

func by(user, claim string) string {
	if user == "" && claim == "" {
		return ""
	}
	return " by " + subjects.Identity(user, claim)
}

func reason(why string) string {
	if why == "" {
		return ""
	}
	return ": " + strings.TrimSuffix(why, ".")
}

// lateAgain says what a retry did to the job's deadline.
func lateAgain(late bool) string {
	if !late {
		return ""
	}
	return "; its deadline could not be kept any more, so it runs after the jobs whose deadlines can"
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return strings.TrimSuffix(text, ".")
}
