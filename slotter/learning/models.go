package learning

import (
	"errors"

	"lull/slotter/fit"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/tct"
)

// fitsRound is the number of fits in one step; one takes half a millisecond.
const fitsRound = 4

// Models learns models of completion times. The zero value has learnt nothing.
type Models struct {
	lessons Lessons
	alarms  alarms
}

// Lessons is what a snapshot keeps.
func (m *Models) Lessons() Lessons { return m.lessons }

// Restore takes over what a snapshot kept.
func (m *Models) Restore(kept Lessons) error {
	for i, l := range kept {
		if l == nil || i > 0 && l.Type <= kept[i-1].Type {
			return errors.New("the types of its samples are not in order")
		}
		l.due = true
	}
	m.lessons = kept
	return nil
}

// Window is the window of a model's samples, nil if there are none.
func (m *Models) Window(model string) *fit.Window {
	if at, ok := m.lessons.indexOf(model); ok {
		return &m.lessons[at].Window
	}
	return nil
}

// Teach takes in how an attempt ran. The residual of an attempt that was held to a rate
// does not show what it could use. As long as there is no model at all, what it used
// stands for that; afterwards it teaches nothing.
func (m *Models) Teach(state *ledger.State, seq uint64, at *ledger.Attempt, run *subjects.Run) {
	model := at.Job.Shape.Model(int(at.Task.Stage))
	if at.Paced {
		used := run.CPU / (run.Seconds * float64(at.Width))
		if state.Model(model) != nil || !(used >= tct.MinResidual) {
			return
		}
		told := *run
		told.Residual = min(used, run.Residual)
		run = &told
	}
	l := m.lessons.of(state, model, seq)
	l.due = l.Window.Add(l.sample(at, run)) || l.due
}

// Adopt notes the entry of the log from which on a model predicts.
func (m *Models) Adopt(seq uint64, f *subjects.Fitted) {
	if at, ok := m.lessons.indexOf(f.Type); ok {
		m.lessons[at].adopt(seq, f)
	}
	m.alarms.seen = false
}

// Decide fits the models that new samples call for, at most so many as there is room
// for. A model that was decided but never came back is still due with the next sample.
func (m *Models) Decide(state *ledger.State, curves *tct.Curves, room int) (events []subjects.Event) {
	fits := 0
	for _, l := range m.lessons {
		if !l.due || fits == fitsRound || len(events) == room {
			continue
		}
		l.due = false
		last := state.Model(l.Type)
		if !fit.Due(&l.Window, last, curveOf(curves, last)) {
			continue
		}
		fits++
		if result, ok := fit.Refit(&l.Window, last); ok {
			events = append(events, result.Event(l.Type, l.Window.Count()))
		}
	}
	return events
}

// curveOf is a model's curve for its own size, nil without a model.
func curveOf(curves *tct.Curves, f *subjects.Fitted) *tct.Curve {
	if f == nil {
		return nil
	}
	return curves.Of(f, 0, 0)
}
