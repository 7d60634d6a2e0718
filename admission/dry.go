package admission

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"lull/actors"
	"lull/subjects"
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
	answer, err := json.Marshal(a.forecast(body))
	if err != nil {
		return nil
	}
	return answer
}

// answerJobs lists jobs.
func (a *Actor) answerJobs(body []byte) []byte {
	var ask subjects.JobsAsk
	answer := &subjects.JobsAnswer{}
	if err := subjects.Unmarshal(body, &ask); err != nil {
		answer.Error = err.Error()
	} else {
		answer = a.state.Page(&ask)
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
func (a *Actor) forecast(body []byte) *subjects.Forecast {
	f := &subjects.Forecast{Mode: a.cfg.Mode, Margin: a.margin(), Pushed: []subjects.Push{}, Stages: []subjects.Assumption{}}
	m := &message{at: a.now}
	err := m.submission(&actors.Request{Body: body})
	f.Name = m.name
	if err = errors.Join(err, m.err); err != nil {
		return refused(f, subjects.ReasonInvalid, err.Error())
	}
	n := newcomer{id: m.job, spec: m.spec, at: a.now, deadline: m.deadline()}
	f.Deadline = timestamp(n.deadline)
	switch {
	case a.cfg.Mode != ModeAll && n.deadline != 0 && n.deadline <= a.now:
		return refused(f, subjects.ReasonPast, a.tooLate(n).Text)
	case a.settled(n) > a.now:
		return refused(f, subjects.ReasonNoHost, "the pool is not known well enough yet: a host has just joined, or none has; ask again in a few seconds")
	}
	if text := a.impossible(n); text != "" {
		return refused(f, subjects.ReasonNoHost, text)
	}
	a.foretell(f, n)
	return f
}

func refused(f *subjects.Forecast, code, text string) *subjects.Forecast {
	f.Verdict, f.Code, f.Text = subjects.VerdictRejected, code, text
	return f
}

// foretell fills in a forecast of a job that can be judged.
func (a *Actor) foretell(f *subjects.Forecast, n newcomer) {
	a.look()
	l := a.newcomer(n)
	found := a.judge(l)
	a.assume(f, l)
	f.Ahead, f.AheadSeconds = found.ahead, min(found.start, horizon).seconds()
	f.PushedJobs = found.pushes
	f.Pushed = append(f.Pushed, found.pushed...)
	a.predicted(f, l, found)
	if safe, ok := a.earliest(l); ok {
		f.Earliest = timestamp(roundUp(a.at(safe)))
	}
	if found.admissible(a.cfg.Mode, a.until(l)) {
		f.Verdict, f.Text = subjects.VerdictAdmitted, a.admit(n, l, found).Why
		return
	}
	f.Code, f.Text = a.fault(n, l, found)
	f.Verdict = subjects.VerdictRejected
	if at := a.grown(); at > a.now { // a submission would wait for it
		f.Text += fmt.Sprintf("; but a host has joined a moment ago: ask again in %s", time.Duration(at-a.now).Round(time.Second))
	}
}

func (a *Actor) predicted(f *subjects.Forecast, l *load, found finding) {
	if found.finish >= horizon {
		return
	}
	f.Finish = timestamp(a.at(found.finish))
	if l.deadline != none {
		f.Slack = (a.until(l) - found.finish).seconds()
	}
	if low, high, ok := a.interval(l, found.finish); ok {
		f.Soonest, f.Latest = timestamp(a.at(low)), timestamp(a.at(high))
	}
}

// assume says what the prediction takes each stage for.
func (a *Actor) assume(f *subjects.Forecast, l *load) {
	for i := range l.terms {
		t, stage := &l.terms[i], &l.shape.Stages[i]
		s := subjects.Assumption{
			Stage: stage.Name, Model: t.model, Tasks: stage.Tasks, Source: subjects.SourceDefault,
			Seconds: round(t.unit.curve.Seconds(1), 1e3), Slots: t.unit.class.slots.Usable(),
		}
		if m := a.state.Model(t.model); m != nil {
			s.Source, s.Samples, s.NRMSE, s.Drift = subjects.SourceModel, m.Samples, m.NRMSE, m.Drift
		} else if stage.Estimate > 0 {
			s.Source = subjects.SourceEstimate
		}
		f.Stages = append(f.Stages, s)
	}
}
