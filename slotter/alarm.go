package slotter

import (
	"fmt"
	"maps"

	"lull/actors"
	"lull/subjects"
)

// alarms are the models of which people were told that they drift.
type alarms struct {
	told map[string]bool
	seen bool // since the last model came
}

// Alarm is an action: tell people that a model's latest tasks follow no model,
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

// alert turns what changed since people were last told into actions.
func (a *Actor) alert() (actions []actors.Action) {
	if a.alarms.seen {
		return nil
	}
	a.alarms.seen = true
	for f := range a.state.Models() {
		if f.Drift != a.alarms.told[f.Type] {
			actions = append(actions, a.alarms.tell(f))
		}
	}
	maps.DeleteFunc(a.alarms.told, func(model string, _ bool) bool { return a.state.Model(model) == nil })
	return actions
}

func (s *alarms) tell(f *subjects.Fitted) Alarm {
	if !f.Drift {
		delete(s.told, f.Type)
		return Alarm{Model: f.Type}
	}
	if s.told == nil {
		s.told = map[string]bool{}
	}
	s.told[f.Type] = true
	return Alarm{f.Type, true, f.A}
}
