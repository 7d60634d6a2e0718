package story

import (
	"fmt"
	"strings"
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/ledger"
)

// Moves describes how fast a job's tasks read and which jobs give way to which. ended are the
// attempts of other jobs that were revoked for it. It is "" when no task runs and no job made way.
func Moves(s *ledger.State, j *ledger.Job, r *Rates, ended []actors.Entry, now time.Time) string {
	t := teller{job: j, now: now.Local()}
	if r.Tasks > 0 {
		t.speed(r)
		t.reach(r)
		t.readEnd(r)
	}
	t.slowedJobs(s, r)
	t.preempted(ended)
	return t.text.String()
}

// speed writes the present and the set reading rate.
func (t *teller) speed(r *Rates) {
	if r.Left == 0 && r.Reference == nil && (r.Now == nil || *r.Now < 1) {
		t.sayf("Now: %s. How fast they read is not shown: lull knows of no input files of theirs.", running(r.Tasks))
		return
	}
	now := "reading rate not measured yet"
	if r.Now != nil {
		now = "reading " + humane.Rate(*r.Now)
		if r.Measured < r.Tasks {
			now = fmt.Sprintf("%d of them reading %s", r.Measured, humane.Rate(*r.Now))
		}
	}
	limited := ""
	if r.Cap != nil {
		limited = fmt.Sprintf(", limited to %.2f cores", *r.Cap)
	}
	t.sayf("Now: %s; %s%s.", running(r.Tasks), now, limited)
}

func running(n int) string {
	return humane.Count(n, "task") + " running"
}

// reach writes the set rate, why it was set, and whether it is reached.
func (t *teller) reach(r *Rates) {
	if r.Reference == nil {
		if r.Left > 0 {
			t.sayf("     No target rate: the pool can read as much as its jobs want.")
		}
		return
	}
	whole := " together"
	switch {
	case r.Tasks == 1:
		whole = ""
	case r.Targeted < r.Tasks:
		whole = fmt.Sprintf(" for %d of them", r.Targeted)
	}
	t.sayf("     Target %s%s: %s.", humane.Rate(*r.Reference), whole, because(r))
	t.reaches(r)
}

// reaches describes whether the set rate is, or can be, reached.
func (t *teller) reaches(r *Rates) {
	switch {
	case r.Short > 0:
		t.sayf("     %d of %s cannot reach that with all CPU available: limited by the primary, the disk or the input.",
			r.Short, humane.Count(r.Tasks, "task"))
	case r.Reaches == nil:
		t.sayf("     Not measured yet whether they reach it.")
	case *r.Now < reached**r.Reference && r.Measured == r.Tasks:
		t.sayf("     Below the target now; a new limit takes some seconds to act.")
	default:
		t.sayf("     Target reached.")
	}
}

// because says where a rate comes from.
func because(r *Rates) string {
	share := ""
	if r.Share != nil {
		share = fmt.Sprintf(" %.3g %% of what the pool reads for its type", 100**r.Share)
	}
	if r.Why == subjects.PaceDeadline {
		return "what its deadline needs," + share
	}
	return "its share," + share
}

// readEnd says when the input will have been read.
func (t *teller) readEnd(r *Rates) {
	if r.readBy.IsZero() {
		return
	}
	slack := ""
	if t.job.Deadline != 0 {
		slack = ", " + humane.Slack(humane.Unix(t.job.Deadline).Sub(r.readBy).Seconds())
	}
	t.sayf("     At that rate the remaining %s are read by %s%s.", humane.Bytes(r.Left), clock(r.readBy.UnixNano()), slack)
}

// slowedJobs says which jobs give way to which now.
func (t *teller) slowedJobs(s *ledger.State, r *Rates) {
	if len(r.For) > 0 {
		t.sayf("     Slowed for %s.", withQueues(s, r.For))
	}
	if len(r.From) > 0 {
		t.sayf("     %s.", slowed(s, r.From))
	}
}

func slowed(s *ledger.State, ids []string) string {
	return "It slows " + withQueues(s, ids)
}

// withQueues lists jobs with their queues.
func withQueues(s *ledger.State, ids []string) string {
	var words []string
	for _, id := range ids {
		if j := s.Job(id); j != nil {
			id += " (queue " + j.Shape.Share() + ")"
		}
		words = append(words, id)
	}
	return strings.Join(words, ", ")
}

// preempted sums up the attempts that made way.
func (t *teller) preempted(entries []actors.Entry) {
	var of tallies
	for _, entry := range entries {
		if e, ok := entry.Event.(*subjects.Revoked); ok {
			of.add(e.Job, fmt.Sprintf("on %s at %s", e.Host, humane.Clock(entry.Time, t.now)))
		}
	}
	for _, h := range of {
		t.sayf("%s of %s preempted for it, the last %s.", humane.Count(h.n, "attempt"), h.what, h.last[len(h.last)-1])
	}
}
