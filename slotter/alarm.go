package slotter

import (
	"fmt"
	"maps"

	"lull/actors"
	"lull/subjects"
)

// alarms are the models that were reported to drift.
type alarms struct {
	reported map[string]bool
	seen     bool // since the last model came
}

// Alarm is an action: report that a model's latest tasks follow no model,
// or that they follow one again. See subjects.Fitted.Drift.
type Alarm struct {
	Model string
	Drift bool
	Idle  float64 // seconds that a task is taken for on an idle core
}

// String says it in a sentence.
func (m Alarm) String() string {
	if !m.Drift {
		return fmt.Sprintf("model %s: its tasks follow it again", m.Model)
	}
	return fmt.Sprintf("model %s: its latest tasks follow no model: each is taken for %.3g s on an idle core, which covers nine in ten, until they do (lull models %s)",
		m.Model, m.Idle, m.Model)
}

// report turns what changed since the last report into actions.
func (l *learning) report() (actions []actors.Action) {
	if l.alarms.seen {
		return nil
	}
	l.alarms.seen = true
	for f := range l.state.Models() {
		if f.Drift != l.alarms.reported[f.Type] {
			actions = append(actions, l.alarms.reportModel(f))
		}
	}
	maps.DeleteFunc(l.alarms.reported, func(model string, _ bool) bool { return l.state.Model(model) == nil })
	return actions
}

func (s *alarms) reportModel(f *subjects.Fitted) Alarm {
	if !f.Drift {
		delete(s.reported, f.Type)
		return Alarm{Model: f.Type}
	}
	if s.reported == nil {
		s.reported = map[string]bool{}
	}
	s.reported[f.Type] = true
	return Alarm{f.Type, true, f.A}
}
