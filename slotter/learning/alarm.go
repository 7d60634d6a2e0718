package learning

import (
	"fmt"
	"maps"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
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
		return fmt.Sprintf("tasks of type %s: how long they take can be predicted again", m.Model)
	}
	return fmt.Sprintf("tasks of type %s: how long they take varies too much to predict; until that changes, each counts as %.3g s on an idle core, which nine in ten of them kept (lull models %s)",
		m.Model, m.Idle, m.Model)
}

// Report turns what changed since the last report into actions.
func (m *Models) Report(state *ledger.State) (actions []actors.Action) {
	if m.alarms.seen {
		return nil
	}
	m.alarms.seen = true
	for f := range state.Models() {
		if f.Drift != m.alarms.reported[f.Type] {
			actions = append(actions, m.alarms.reportModel(f))
		}
	}
	maps.DeleteFunc(m.alarms.reported, func(model string, _ bool) bool { return state.Model(model) == nil })
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
