package admission

import (
	"fmt"
	"slices"

	"lull/admission/inbox"
	"lull/admission/pool"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// cancelUnmet cancels the jobs that can never run, because a job that they run after has ended otherwise. Jobs
// without a verdict are rejected instead.
func cancelUnmet(b *batch, s *ledger.State) {
	for j := range s.Followers.Unmet().All() {
		if b.room() == 0 {
			return
		}
		if j.Live() {
			b.add(&subjects.Cancelled{Job: j.ID, Why: j.Awaiting.Unmet()})
		}
	}
}

// looksAtOthers reports whether a message is a submission whose event depends on other jobs. It is decided first in a
// batch: what the batch before decided about these jobs has come back by then.
func looksAtOthers(m *inbox.Message) bool {
	return m.From.Verb == "" && m.Spec != nil && spec.WaitsForJobs(m.Spec)
}

// namesakes are the open jobs of the name and the user of a submission, by submission.
func namesakes(s *ledger.State, e *subjects.Submitted) (all []*ledger.Job) {
	for j := range s.LiveJobs().All() {
		if j.Name == e.Spec.Name && j.User == e.User && (e.User != "" || j.Client == e.Client) {
			all = append(all, j)
		}
	}
	return all
}

// decideAmong adds the events of a submission that says what becomes of it if jobs of its name are open. It reports
// whether that is all: the job is rejected, or waits until the others are cancelled.
func decideAmong(b *batch, s *ledger.State, e *subjects.Submitted) (done bool) {
	if e.Spec.IfRunning == "" {
		return false
	}
	others := namesakes(s, e)
	if len(others) == 0 {
		return false
	}
	switch last := others[len(others)-1]; e.Spec.IfRunning {
	case spec.IfRunningSkip:
		b.add(e)
		b.add(&subjects.Rejected{Job: e.Job, Name: e.Spec.Name, Inbox: e.Inbox, Trace: e.Trace, Code: subjects.ReasonRunning,
			Text: fmt.Sprintf("%s is open, and if_running: skip wants one job of this name at a time", last.ID)})
		return true
	case spec.IfRunningReplace:
		for _, j := range others[:min(len(others), b.room())] {
			b.add(&subjects.Cancelled{Job: j.ID, User: e.User, Who: e.Client, Why: "a newer job of its name replaces it (if_running: replace)"})
		}
		return true
	}
	most := max(spec.MaxAfterJobs-len(e.Spec.AfterJobs), 0) // the newest, which wait for the others if they are queued, too
	e.Spec.AfterJobs = slices.Clone(e.Spec.AfterJobs)
	for _, j := range others[max(len(others)-most, 0):] {
		e.Spec.AfterJobs = append(e.Spec.AfterJobs, spec.AfterJob{Job: j.ID, On: spec.OnAny})
	}
	return false
}

// unmet is why a newcomer can never run after the jobs that it names, "" if it can.
func (v *verdicts) unmet(n pool.Newcomer) string {
	if j := v.Ledger.Job(n.ID); j != nil {
		return j.Awaiting.Unmet()
	}
	return ledger.WhyUnmet(v.Ledger, n.Spec.AfterJobs)
}
