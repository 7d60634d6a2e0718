package story

import (
	"cmp"
	"fmt"
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/ledger"
)

// Task writes the life of one task, attempt by attempt.
func Task(j *ledger.Job, id subjects.TaskID, history []actors.Entry, now time.Time, detail Detail) string {
	t := teller{job: j, detail: detail, now: now.Local()}
	if label := LabelsOf(history).Of(id); label != "" {
		t.sayf("%s: %s", t.task(id), label)
	}
	shown := false
	for _, a := range AttemptsOf(history) {
		if a.TaskID == id {
			t.attempt(a, history)
			shown = true
		}
	}
	if !shown {
		t.sayf("%s has no attempt%s.", t.task(id), t.waitReason(id))
	}
	if at := delayed(j, id); shown && at > now.UnixNano() {
		t.sayf("    Next attempt not before %s.", clock(at))
	}
	return t.text.String()
}

func (t *teller) attempt(a *Attempt, history []actors.Entry) {
	revoked := false
	for _, entry := range history {
		if e, ok := entry.Event.(*subjects.Assigned); ok && entry.Seq == a.ID {
			t.sayf("%s attempt %d on %s%s: %s.", humane.Clock(entry.Time, t.now), a.Try, a.Host, t.place(a, e.Slot), rule(e.Why.Rule))
			t.sayf("    The slot was %s.", t.basis(e.Why))
		}
		if e, ok := entry.Event.(*subjects.Revoked); ok && e.Attempt == a.ID {
			t.sayf("    Revoked%s.", reason(e.Why))
			revoked = true
		}
	}
	if a.End != nil || !revoked {
		t.sayf("    %s", t.end(a))
	}
	for _, entry := range history {
		if e, ok := entry.Event.(*subjects.OutputMissing); ok && e.Attempt == a.ID {
			t.sayf("    %s lost its output: %s (folder %s).", e.Host, outputVanished, e.Folder)
		}
	}
}

// place returns the slot and the id of an attempt, for readers that want details.
func (t *teller) place(a *Attempt, slot uint32) string {
	if t.detail != Full {
		return ""
	}
	return fmt.Sprintf(", slot %d (id %d)", slot, a.ID)
}

// delayed returns when a task's backoff ends, 0 if there is none.
func delayed(j *ledger.Job, id subjects.TaskID) int64 {
	if j.Phase.Ended() || int(id.Stage) >= len(j.Stages) || int(id.Task) >= j.Stages[id.Stage].Len() {
		return 0
	}
	return j.Stages[id.Stage].Delayed(id.Task)
}

// end says how an attempt ended.
func (t *teller) end(a *Attempt) string {
	switch e := a.End.(type) {
	case *subjects.Finished:
		return fmt.Sprintf("Finished in %s, with %s of CPU and %s of output.",
			humane.Seconds(e.Seconds), humane.Seconds(e.CPU), humane.Count(int(e.Files), "file")) + before(&e.Fetch)
	case *subjects.Failed:
		return fmt.Sprintf("Failed after %s: %s.%s", humane.Seconds(e.Seconds), e.Words(), quoted(e.Tail))
	case *subjects.Evicted:
		return fmt.Sprintf("Evicted after %s: %s. This costs no retry%s.", humane.Seconds(e.Seconds), Eviction(e), lost(e, "; "))
	case *subjects.Declined:
		return fmt.Sprintf("Declined by the host: %s%s. This costs no retry.", cmp.Or(declines[e.Reason], e.Reason), reason(e.Text))
	}
	if a.Began {
		return "Running."
	}
	return "Not started yet."
}

// waitReason says what a task waits for that was never assigned.
func (t *teller) waitReason(id subjects.TaskID) string {
	if int(id.Stage) < len(t.job.Stages) && t.job.StageState(int(id.Stage)) == ledger.StageSkipped {
		return ": its stage does not run, because of how other stages ended (when:)"
	}
	if t.job.Phase.Ended() {
		return ": the job " + ended(t.job)
	}
	if t.job.Awaiting != nil {
		return " yet: its job waits for other jobs"
	}
	if int(id.Stage) < len(t.job.Stages) && !t.job.Ready(int(id.Stage)) {
		return " yet: its stage waits for an earlier one"
	}
	if int(id.Stage) < len(t.job.Stages) {
		if why := full(t.job, int(id.Stage)); why != "" {
			return " yet: " + why
		}
	}
	return " yet: it waits for a free slot"
}
