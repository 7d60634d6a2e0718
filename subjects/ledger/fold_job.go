package ledger

import (
	"lull/subjects"
	"lull/subjects/spec"
)

func (s *State) submitted(seq uint64, e *subjects.Submitted) Verdict {
	s.Inbox = max(s.Inbox, e.Inbox)
	if s.jobs[e.Job] != nil {
		return void("a job with this id exists")
	}
	if err := e.Spec.Validate(); err != nil {
		return void("the specification is invalid")
	}
	j := &Job{
		ID: e.Job, Seq: seq, Inbox: e.Inbox, Digest: e.Digest, Sender: s.interner.sender(e.User, e.Client), Trace: e.Trace,
		Submitted: e.At, Deadline: e.Deadline, Stages: make([]*Stage, len(e.Spec.Stages)),
	}
	s.interner.describe(j, &e.Spec)
	for i := range e.Spec.Stages {
		j.Stages[i] = newStage(e.Spec.Stages[i].Tasks, e.Spec.Stages[i].Bytes)
		j.Totals.Tasks += e.Spec.Stages[i].Tasks
	}
	if len(e.Spec.AfterJobs) > 0 {
		awaitOpen(s, j, e.Spec.AfterJobs, WhyUnmet(s, e.Spec.AfterJobs))
	}
	s.add(j)
	return accepted
}

func (s *State) add(j *Job) {
	s.jobs[j.ID] = j
	s.order.Insert(j)
	if !j.Phase.Ended() {
		s.openJob(j)
	}
}

func (s *State) admitted(now int64, e *subjects.Admitted) Verdict {
	j := s.jobs[e.Job]
	if j == nil || j.Phase.Judged() {
		return void("no job of this id waits for a verdict")
	}
	j.Phase, j.Admitted, j.Finish, j.Slack, j.Late = Admitted, now, e.Finish, e.Slack, e.Late
	return accepted
}

func (s *State) trying(now int64, e *subjects.Trying) Verdict {
	j := s.jobs[e.Job]
	if j == nil || j.Phase != Submitted {
		return void("no job of this id waits for a verdict")
	}
	j.Phase, j.Admitted = Trying, now // since when tasks of it may run
	return accepted
}

func (s *State) rejected(seq uint64, now int64, e *subjects.Rejected) Verdict {
	s.Inbox = max(s.Inbox, e.Inbox)
	j := s.jobs[e.Job]
	if j == nil {
		j = &Job{ID: e.Job, Seq: seq, Inbox: e.Inbox, Sender: s.interner.sender(e.User, e.Client), Phase: Rejected, Trace: e.Trace, Submitted: now}
		s.interner.describe(j, &spec.Job{Name: e.Name})
		s.add(j)
	} else if j.Phase.Judged() {
		return void("the job already has its verdict")
	}
	j.Code, j.Text, j.Earliest = e.Code, e.Text, e.Earliest
	s.end(j, Rejected, now)
	return accepted
}

func (s *State) endangered(e *subjects.Endangered) Verdict {
	j := s.jobs[e.Job]
	if j == nil || !j.Live() {
		return void("no such job runs")
	}
	j.Endangered, j.Finish, j.Slack = e.Slack < 0, e.Finish, e.Slack
	return accepted
}

func (s *State) cancelled(now int64, e *subjects.Cancelled) Verdict {
	s.Inbox = max(s.Inbox, e.Inbox)
	j := s.jobs[e.Job]
	if j == nil || j.Phase.Ended() {
		return void("no job with this id is open")
	}
	j.Text, j.By = e.Why, newAttribution(e.User, e.Who, "")
	s.end(j, Cancelled, now)
	return accepted
}

func (s *State) retried(seq uint64, now int64, e *subjects.Retried) Verdict {
	s.Inbox = max(s.Inbox, e.Inbox)
	j := s.jobs[e.Job]
	if j == nil || j.Phase != Failed && j.Phase != Cancelled && (j.Phase != Finished || len(droppedTasks(j)) == 0) {
		return void("no job with this id has failed or was cancelled")
	}
	if len(j.Stages) == 0 {
		return void("only a summary of the job is left")
	}
	if v := refresh(s, seq, j, e); v.Outcome == Void {
		return v
	}
	reopenReaders(j)
	for i, st := range j.Stages {
		if j.Shape.Stages[i].When != spec.WhenSuccess {
			st.reopenDone()
		}
		st.resetRetries()
	}
	s.ended.removeJob(j)
	j.Phase, j.Ended, j.Code, j.Text, j.Rest = Admitted, 0, "", "", 0
	j.By, j.Steering, j.Placement = newAttribution(e.User, e.Who, e.Why), nil, nil
	j.Late = j.Late || e.Late
	if j.Admitted == 0 { // it was cancelled before its verdict
		j.Admitted = now
	}
	awaitOpen(s, j, j.Spec().AfterJobs, "") // how the others ended does not matter: the user knows it
	s.openJob(j)
	return accepted
}

func (s *State) jobFinished(now int64, e *subjects.JobFinished) Verdict {
	j := s.jobs[e.Job]
	if j == nil || !j.Live() || !j.Complete() {
		return void("no such job is complete")
	}
	s.judge(j)
	s.end(j, Finished, now)
	return accepted
}

func (s *State) jobFailed(now int64, e *subjects.JobFailed) Verdict {
	j := s.jobs[e.Job]
	if j == nil || !j.Live() {
		return void("no such job runs")
	}
	j.Code, j.Text = e.Code, e.Text
	s.end(j, Failed, now)
	return accepted
}

// stageFailed ends the tasks of a stage that wait.
func (s *State) stageFailed(e *subjects.StageFailed) Verdict {
	j := s.jobs[e.Job]
	switch {
	case j == nil || !j.Live():
		return void("no such job runs")
	case int(e.Stage) >= len(j.Stages) || j.Stages[e.Stage].Waiting() == 0:
		return void("the job has no such stage, or no task of it waits")
	}
	j.Stages[e.Stage].killWaiting()
	return accepted
}

// end closes a job's life. Its attempts go on until their hosts say they are
// gone: the slotter revokes them because they are unwanted.
func (s *State) end(j *Job, phase Phase, now int64) {
	j.Phase, j.Ended, j.Placement = phase, now, nil
	if phase == Finished { // the others may be retried
		j.unpace()
	}
	j.Totals.Seconds = float64(now-j.Submitted) / 1e9
	s.closeJob(j)
	s.retain(j)
	s.released = s.Followers.release(j, now)
}

func (s *State) fitted(seq uint64, e *subjects.Fitted) Verdict {
	s.models.put(e.Type, e, seq)
	s.findFetchRate()
	s.forgetLearned()
	return accepted
}
