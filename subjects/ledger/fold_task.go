package ledger

import (
	"lull/subjects"
	"lull/subjects/spec"
)

// assigned returns the new attempt of a job, or nil and why there is none.
func (s *State) assigned(seq uint64, now int64, j *Job, e *subjects.Assigned) (*Attempt, Verdict) {
	h := s.hosts[e.Host]
	if v := s.assignable(j, h, e); v.Outcome == Void {
		return nil, v
	}
	st, spec := j.Stages[e.Stage], &j.Shape.Stages[e.Stage]
	a := &Attempt{
		ID: seq, Job: j, Task: e.TaskID, Try: e.Try, Host: h,
		Slot: e.Slot, Width: e.Width, Part: e.Part, Memory: spec.Memory, Assigned: now, Why: e.Why,
	}
	if e.Rival {
		st.compete(a)
		st.at(e.Task).counts = st.at(e.Task).counts.addTry()
	} else {
		st.holdTask(e.Task, seq, h.id)
	}
	s.attempts.add(a)
	a.notePace(j.Pace(h))
	h.occupy(a)
	j.noteBegin(now, e.Stage, h.Name)
	j.attempts++
	j.Totals.Attempts++
	return a, accepted
}

func (s *State) assignable(j *Job, h *Host, e *subjects.Assigned) Verdict {
	switch {
	case j == nil || !j.Live():
		return void("no such job runs")
	case int(e.Stage) >= len(j.Stages) || int(e.Task) >= j.Stages[e.Stage].Len():
		return void("the job has no such task")
	case e.Rival && !j.Stages[e.Stage].contestable(e.Task):
		return void("the task has no running attempt, or already a second one")
	case !e.Rival && j.Stages[e.Stage].state(e.Task) != Waiting:
		return void("the task is not waiting")
	case !j.Ready(int(e.Stage)):
		return void("an earlier stage or job is not done")
	case s.Paused || h == nil || !h.Open() || h.Term != e.Term:
		return void("the host accepts no tasks, or has joined again since")
	}
	return fits(h, &j.Shape.Stages[e.Stage], e)
}

func (s *State) started(now int64, e *subjects.Started) Verdict {
	a, v := s.fact(e.Host, e.Job, e.Fact)
	if a == nil {
		return v
	}
	a.Started = now
	if a.State == Given {
		a.State = Running
	}
	return accepted
}

func (s *State) finished(e *subjects.Finished) Verdict {
	a, v := s.fact(e.Host, e.Job, e.Fact)
	if a == nil {
		return v
	}
	s.release(a)
	s.stayed(a, true)
	a.Job.Totals.CPU += e.CPU
	if state := a.stage().state(a.Task.Task); !a.Job.Live() || state == Done || state == Dropped {
		a.giveUpTask(Revoked)
		return accepted
	}
	a.stage().commit(a.Task.Task, a, e.Manifest)
	a.Job.noteRan(s.clock.now)
	if a.Job.Shape.Stages[a.Task.Stage].Publish {
		a.Job.Text = e.Text
	}
	return Verdict{Outcome: Committed}
}

func (s *State) failed(now int64, e *subjects.Failed) Verdict {
	a, v := s.fact(e.Host, e.Job, e.Fact)
	if a == nil {
		return v
	}
	s.release(a)
	a.Job.Totals.CPU += e.CPU
	if !a.Holds() {
		return accepted
	}
	a.Job.Totals.Failed++
	a.stage().Failed++
	if e.Again && s.Reads(subjects.FormatOnExit, "") && a.tryAgain(now) {
		return accepted
	}
	a.countFailure(now, e.Reason, e.Final && s.Reads(subjects.FormatFinal, ""))
	return accepted
}

// countFailure sends a failed task back after its backoff, or ends it: when the failure is final, when its
// retries are used up, and at the latest when its count of failures is full. While a rival runs, the task is not lost yet.
// The failure counts, but the rival's end decides.
func (a *Attempt) countFailure(now int64, reason string, final bool) {
	st, spec := a.stage(), &a.Job.Shape.Stages[a.Task.Stage]
	t := st.at(a.Task.Task)
	t.fails = max(t.fails, t.fails+1) // saturates
	t.counts = t.counts.resetDeclines()
	if a.promoteRival() {
		return
	}
	if final || uint32(t.fails) > spec.Retries || t.fails == 1<<8-1 {
		st.kill(a.Task.Task)
		return
	}
	if lasting(reason) {
		st.requeue(a.Task.Task, 0)
		return
	}
	wait := int64(spec.Backoff) << min(t.fails-1, 10)
	st.requeue(a.Task.Task, now+max(wait, 1))
}

// tryAgain sends a task back whose stage tries it again after such an end, which counts as no failure. It waits for the
// stage's backoff, twice as long each time in a row, and longer than any other backoff only if the document says so. It
// returns false if the task had as many attempts as that may go on for.
func (a *Attempt) tryAgain(now int64) bool {
	st := a.stage()
	t := st.at(a.Task.Task)
	if t.counts.tries() >= spec.MostAgain {
		return false
	}
	t.counts = t.counts.addDecline()
	if !a.promoteRival() {
		wait := int64(a.Job.Shape.Stages[a.Task.Stage].Backoff)
		st.requeue(a.Task.Task, now+max(wait, min(wait<<(t.counts.declines()-1), lastBackoff), 1))
	}
	return true
}

// lasting reports whether waiting cannot help with a failure: a command that a host does not have,
// or an input that is not what was submitted. The retries are for other hosts, which may have it;
// backoff would only delay the bad news.
func lasting(reason string) bool {
	return reason == subjects.ReasonNotFound || reason == subjects.ReasonInput
}

func (s *State) evicted(now int64, e *subjects.Evicted) Verdict {
	a, v := s.fact(e.Host, e.Job, e.Fact)
	if a == nil {
		return v
	}
	s.release(a)
	if e.Reason == subjects.ReasonReserve {
		s.stayed(a, false)
	}
	a.Job.Totals.CPU += e.CPU
	if a.Holds() || e.Reason == subjects.ReasonPreempted { // the attempt gave its task up when it was revoked
		a.Job.Totals.Evicted++
		a.Job.Lost += e.Lost()
		a.stage().Evicted++
	}
	if a.Holds() {
		if e.Reason == subjects.ReasonVanished {
			a.holdBack(now)
			return accepted
		}
		t := a.stage().at(a.Task.Task)
		t.counts = t.counts.resetDeclines()
		defer a.stage().requeueInOrder(a.Task.Task)
	}
	a.giveUpTask(Revoked)
	return accepted
}

func (s *State) declined(now int64, e *subjects.Declined) Verdict {
	a, v := s.fact(e.Host, e.Job, e.Fact)
	if a == nil {
		return v
	}
	s.release(a)
	if !a.Holds() {
		return accepted
	}
	a.holdBack(now)
	if a.Job.Live() && a.Job.Shape.Stages[a.Task.Stage].Publish {
		a.Job.Text = e.Text // why the results are not there yet
	}
	return accepted
}

// holdBack returns a task that came to nothing, and may again: longer each
// time. A task that kills its own shim vanishes within milliseconds, and did so
// 45 times a second. A rival that runs takes the task over.
func (a *Attempt) holdBack(now int64) {
	t := a.stage().at(a.Task.Task)
	t.counts = t.counts.addDecline()
	if !a.promoteRival() {
		a.stage().requeue(a.Task.Task, now+t.counts.backoff())
	}
	a.State = Revoked
}

// fact returns the attempt that a host's report is about, or nil and why not.
func (s *State) fact(host, job string, f subjects.Fact) (*Attempt, Verdict) {
	a := s.attempts.find(f.Attempt)
	switch {
	case a == nil:
		return nil, void("no such attempt is known, or it is gone")
	case a.Host.Name != host || a.Job.ID != job || a.Task != f.TaskID:
		return nil, void("the attempt is another host's or another task's")
	case a.Host.Term != f.Term:
		return nil, void("the host is unknown, or has joined again since")
	}
	return a, accepted
}

func (s *State) revoked(e *subjects.Revoked) Verdict {
	a := s.attempts.find(e.Attempt)
	if a == nil || a.Host.Name != e.Host || a.State == Revoked {
		return void("no such attempt runs on the host, or it was revoked before")
	}
	a.giveUpTask(Revoked)
	return accepted
}
