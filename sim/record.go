package sim

import (
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
)

// recorder fills in the result from the log's entries and what the ledger made of them.
type recorder struct {
	w    *World
	jobs []JobResult
	runs []RunResult
	last time.Duration // when a job was submitted, or anything ended
}

func newRecorder(w *World) recorder {
	r := recorder{w: w, jobs: make([]JobResult, len(w.Jobs))}
	for i, j := range w.Jobs {
		r.jobs[i] = JobResult{Name: j.Spec.Name, Submitted: j.At}
	}
	return r
}

// note records an entry that the ledger has applied.
func (r *recorder) note(e *entry, c ledger.Change) {
	if c.Outcome == ledger.Void {
		return
	}
	switch event := e.Event.(type) {
	case *subjects.Started:
		r.begun(event.Job, event.At)
	case *subjects.Finished, *subjects.Failed, *subjects.Evicted:
		r.run(event, c)
	case *subjects.Submitted:
		r.submitted(event)
	case *subjects.Admitted:
		if j := r.job(event.Job); j != nil {
			j.Promised = since(event.Finish)
		}
	case *subjects.Retried:
		r.reopened(event.Job)
	case *subjects.Rejected:
		r.ended(event.Job, ledger.Rejected, event.Code)
		if j := r.job(event.Job); j != nil {
			j.Why = event.Text
		}
	case *subjects.Cancelled:
		r.ended(event.Job, ledger.Cancelled, "")
	case *subjects.JobFinished:
		r.ended(event.Job, ledger.Finished, "")
	case *subjects.JobFailed:
		r.ended(event.Job, ledger.Failed, event.Code)
	}
}

func (r *recorder) job(id string) *JobResult {
	if i, ok := r.w.clients.jobs[id]; ok {
		return &r.jobs[i]
	}
	return nil
}

func (r *recorder) submitted(e *subjects.Submitted) {
	r.last = r.w.now
	if j := r.job(e.Job); j != nil {
		j.ID, j.State = e.Job, ledger.Submitted.String()
		if e.Deadline != 0 {
			j.Deadline = since(e.Deadline)
		}
	}
}

func (r *recorder) begun(job string, at int64) {
	if j := r.job(job); j != nil && (j.Started == 0 || since(at) < j.Started) {
		j.Started = since(at)
	}
}

func (r *recorder) ended(id string, phase ledger.Phase, code string) {
	r.last = r.w.now
	if j := r.job(id); j != nil {
		j.ID, j.State, j.Code, j.Ended = id, phase.String(), code, r.w.now
		if phase == ledger.Finished {
			delete(r.w.outputs, id) // others may be reopened
		}
		r.w.clients.open--
	}
}

func (r *recorder) reopened(id string) {
	if j := r.job(id); j != nil {
		j.State, j.Code, j.Ended = ledger.Admitted.String(), "", 0
		r.w.clients.open++
	}
}

// run adds an attempt that ended.
func (r *recorder) run(e subjects.Event, c ledger.Change) {
	a := c.Attempt
	r.last = r.w.now
	_, used := subjects.EndOf(e)
	end := RunResult{
		Job: a.Job.ID, Type: a.Job.Shape.Model(int(a.Task.Stage)), Stage: a.Task.Stage, Task: a.Task.Task,
		Host: a.Host.Name, Outcome: outcomeOf(e, c), Rule: a.Why.Rule, Start: since(a.Assigned), End: r.w.now,
		Known: a.Why.Residual, Residual: used.Residual, Expected: a.Why.Expected, CPU: used.CPU,
	}
	if used.Start != 0 {
		end.Start = since(used.Start)
		end.End = end.Start + time.Duration(used.Seconds*1e9)
		r.begun(a.Job.ID, used.Start)
	}
	if truth := r.w.truths[end.Type]; truth != nil {
		end.Factor = truth.factor(r.w.Seed, end.Job, a.Job.Stages[end.Stage].Bytes, a.Task)
	}
	r.runs = append(r.runs, end)
}

func outcomeOf(e subjects.Event, c ledger.Change) string {
	switch e := e.(type) {
	case *subjects.Failed:
		return "failed"
	case *subjects.Evicted:
		if e.Reason == subjects.ReasonRevoked {
			return "revoked"
		}
		return "evicted"
	}
	if c.Outcome == ledger.Committed {
		return "committed"
	}
	return "finished"
}

// result returns the results of the scenario so far.
func (w *World) result() *Result {
	r := &Result{Jobs: w.record.jobs, Runs: w.record.runs, End: w.now, Events: int(w.bus.log.end), Steps: w.steps}
	r.Folded, r.Samples = w.delivered, w.samplesSeen
	for _, h := range w.hosts {
		h.settle()
		r.Harvested += h.batch
		for _, run := range h.runs {
			if run.running {
				r.Open = append(r.Open, RunResult{
					Job: run.Job, Stage: run.Stage, Task: run.TaskID.Task, Host: h.Name, Outcome: "open",
					Start: run.began, End: w.now, CPU: run.cpu,
				})
			}
		}
		r.Idle += h.idle
	}
	for _, s := range w.shared {
		s.settle()
		r.Idle += s.idle * float64(len(s.members))
	}
	for i := range r.Jobs {
		if j := w.ledger.Job(r.Jobs[i].ID); j != nil && r.Jobs[i].Ended == 0 {
			r.Jobs[i].State = j.Phase.String()
		}
	}
	w.digest.Sum(r.Digest[:0])
	return r
}
