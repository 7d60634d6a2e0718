package admission

import (
	"encoding/json"
	"errors"
	"time"

	"lull/actors"
	"lull/admission/inbox"
	"lull/admission/judge"
	"lull/admission/outlook"
	"lull/admission/pool"
	"lull/admission/span"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/ledger/page"
)

// Answer replies to AskAdmission with a Forecast, in JSON, and to AskJobs with a
// JobsAnswer, in msgpack; nil to anything else.
func (a *Actor) Answer(ask string, body []byte) []byte {
	switch ask {
	case subjects.AskJobs:
		return a.answerJobs(body)
	case subjects.AskAdmission:
	default:
		return nil
	}
	answer, err := json.Marshal(a.verdicts.forecast(body))
	if err != nil {
		return nil
	}
	return answer
}

// answerJobs lists jobs, with the ends that are predicted now.
func (a *Actor) answerJobs(body []byte) []byte {
	var ask subjects.JobsAsk
	answer := &subjects.JobsAnswer{}
	if err := subjects.Unmarshal(body, &ask); err != nil {
		answer.Error = err.Error()
	} else {
		answer = page.Jobs(a.facts.Ledger, &ask)
		a.updatePredictions(answer.Jobs)
	}
	answer.Memory = a.memory
	reply, err := subjects.Marshal(answer)
	if err != nil {
		return nil
	}
	return reply
}

// forecast is the verdict that a document would get now. It changes nothing
// but what is kept ready to predict with.
func (v *verdicts) forecast(body []byte) *subjects.Forecast {
	f := &subjects.Forecast{At: inbox.Timestamp(v.Now), Mode: v.Config.Mode, Margin: v.Margin(), Pushed: []subjects.Push{}, Stages: []subjects.Assumption{}}
	m := &inbox.Message{At: v.Now}
	err := m.ReadSubmission(&actors.Request{Body: body, Time: time.Unix(0, v.Now)})
	f.Name = m.Name
	if err = errors.Join(err, m.Err); err != nil {
		return refused(f, subjects.ReasonInvalid, err.Error())
	}
	n := pool.Newcomer{ID: m.Job, Spec: m.Spec, At: v.Now, Deadline: m.Deadline()}
	f.Deadline = inbox.Timestamp(n.Deadline)
	switch {
	case v.Config.Mode != subjects.ModeAll && n.Deadline != 0 && n.Deadline <= v.Now && !n.Spec.Late:
		return refused(f, subjects.ReasonPast, v.tooLate(n).Text)
	case v.unmet(n) != "":
		return refused(f, subjects.ReasonAfter, v.unmet(n))
	case v.pool.Names.Refuses(n.Spec.Share()) != "":
		return refused(f, subjects.ReasonQueues, v.pool.Names.Refuses(n.Spec.Share()))
	case v.settled(n) > v.Now:
		f.Again = secondsOf(v.settled(n) - v.Now)
		return refused(f, subjects.ReasonNoHost, "the pool is not known well enough yet: a host has just joined, or none has; ask again in a few seconds")
	}
	if text := v.impossible(n); text != "" {
		return refused(f, subjects.ReasonNoHost, text)
	}
	v.fillForecast(f, n)
	return f
}

func refused(f *subjects.Forecast, code, text string) *subjects.Forecast {
	f.Verdict, f.Code, f.Text = subjects.VerdictRejected, code, text
	return f
}

// fillForecast fills in the forecast of a job that can be judged.
func (v *verdicts) fillForecast(f *subjects.Forecast, n pool.Newcomer) {
	v.pool.Refresh()
	l := v.newLoad(n)
	found := v.judge.Predict(l)
	v.addAssumptions(f, l)
	idle, cores := v.grounds.idleCores()
	f.Idle, f.Cores, f.Observed, f.Days = span.Round(idle, 100), cores, 0, v.pool.Supply.Days()
	if seconds := v.grounds.least(); seconds < outlook.EnoughObserved {
		f.Observed = seconds
	}
	if f.Ahead = found.Ahead; found.Start < span.Horizon {
		f.AheadSeconds = found.Start.Seconds()
	}
	f.PushedJobs = found.Pushes
	f.Pushed = append(f.Pushed, found.Pushed...)
	admissible := found.Admissible(v.Config.Mode, l.UntilDeadline(v.Now))
	v.addPrediction(f, l, found)
	if v.trials.Needed(n, l, admissible) {
		f.Verdict, f.Text, f.Until = subjects.VerdictTrying, v.grounds.whyTried(n), inbox.Timestamp(n.Until())
		return
	}
	if safe, ok := v.judge.Earliest(l); ok {
		f.Earliest = inbox.Timestamp(roundUp(v.At(safe)))
	}
	if !admissible && n.Spec.Late {
		f.Verdict, f.Text = subjects.VerdictAdmitted, v.admitLate(n, l, found).Why
		return
	}
	if admissible {
		f.Verdict, f.Text = subjects.VerdictAdmitted, v.admit(n, l, found).Why
		return
	}
	f.Code, f.Text = v.whyRefused(n, l, found)
	f.Verdict = subjects.VerdictRejected
	if at := v.telemetryFullAt(); at > v.Now { // a submission would wait for it
		f.Again = secondsOf(at - v.Now)
		f.Text += "; but a host has joined a moment ago: ask again in " + humane.Seconds(f.Again)
	}
	f.Text += "\n" + v.grounds.assumed(l) + "\n" + v.grounds.remedies(l)
}

// secondsOf converts nanoseconds to seconds, rounded to milliseconds.
func secondsOf(nanoseconds int64) float64 { return span.Round(float64(nanoseconds)/1e9, 1e3) }

// addPrediction adds when the job is predicted to end, if it is predicted to end at all.
func (v *verdicts) addPrediction(f *subjects.Forecast, l *pool.Load, found judge.Finding) {
	if found.Finish >= span.Horizon {
		return
	}
	f.Finish, f.FinishSeconds = inbox.Timestamp(v.At(found.Finish)), found.Finish.Seconds()
	if l.Deadline != pool.None {
		f.Slack = (l.UntilDeadline(v.Now) - found.Finish).Seconds()
	}
	if low, high, ok := v.judge.Interval(l, found); ok {
		f.Soonest, f.Latest = inbox.Timestamp(v.At(low)), inbox.Timestamp(v.At(high))
	}
}

// addAssumptions adds what the prediction assumes of each stage.
func (v *verdicts) addAssumptions(f *subjects.Forecast, l *pool.Load) {
	for i := range l.Stages {
		t, stage := &l.Stages[i], &l.Shape.Stages[i]
		s := subjects.Assumption{
			Stage: stage.Name, Model: t.Model, Tasks: stage.Tasks, Basis: subjects.BasisDefault,
			Seconds: span.Round(t.Unit.Curve.Seconds(1), 1e3), Slots: t.Unit.Class.Slots.Usable(),
		}
		if m := v.Ledger.Model(t.Model); m != nil {
			s.Basis, s.Samples, s.NRMSE, s.Drift = subjects.BasisModel, m.Samples, m.NRMSE, m.Drift
		} else if stage.Publish {
			s.Basis = subjects.BasisCopy
		} else if stage.Estimate > 0 {
			s.Basis = subjects.BasisEstimate
		}
		l.Fetched(i, &s)
		f.Stages = append(f.Stages, s)
	}
}
