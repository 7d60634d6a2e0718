package learning

import (
	"cmp"
	"errors"
	"fmt"

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
	fetches Fetches
	alarms  alarms
}

// Lessons and Fetches are what a snapshot keeps.
func (m *Models) Lessons() Lessons { return m.lessons }

// Fetches are what the latest tasks fetched.
func (m *Models) Fetches() Fetches { return m.fetches }

// Patience is how long a task of a stage that reads others may take to fetch its input before that
// is remarkable, in seconds: twice the longest of the latest fetches. It is 0 while none is known.
func (m *Models) Patience() float64 {
	longest := 0.0
	for i := range m.fetches {
		longest = max(longest, m.fetches[i].Seconds)
	}
	return 2 * longest
}

// Load takes over what a snapshot kept.
func (m *Models) Load(kept Lessons, fetches Fetches) error {
	if err := fetches.check(); err != nil {
		return err
	}
	for i, l := range kept {
		if l == nil || i > 0 && l.Type <= kept[i-1].Type {
			return errors.New("its completion-time models are not sorted by name")
		}
		if err := l.Flow.valid(); err != nil {
			return fmt.Errorf("model %.80q: %w", l.Type, err)
		}
		l.due, l.fetches = true, len(fetches) > 0
	}
	m.lessons, m.fetches = kept, fetches
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
// stands for that; afterwards it teaches nothing of times.
func (m *Models) Teach(state *ledger.State, seq uint64, at *ledger.Attempt, e *subjects.Finished) {
	model, run := at.Job.Shape.Model(int(at.Task.Stage)), &e.Run
	fetched := m.fetches.add(&e.Fetch)
	if at.Paced {
		used := run.CPU / (run.Seconds * float64(at.Width))
		if known := state.Model(model); known != nil && !known.Few() || !(used >= tct.MinResidual) {
			return
		}
		paced := *run
		paced.Residual = min(used, run.Residual)
		run = &paced
	}
	l := m.lessons.of(state, model, seq)
	l.Flow.add(e)
	l.fetches = fetched || l.fetches
	l.due = l.Window.Add(l.sample(at, run)) || l.due
	if at.Job.Over(int(at.Task.Stage)) {
		l.Whole = l.Window.Seen
	}
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
	fits, rate := 0, state.FetchRate()
	for _, l := range m.lessons {
		if !l.due || fits == fitsRound || len(events) == room {
			continue
		}
		last := state.Model(l.Type)
		due := fit.Due(&l.Window, last, curveOf(curves, last), l.Whole) || l.fetches && m.fetches.differsFrom(rate)
		l.due, l.fetches = false, false
		if !due {
			continue
		}
		fits++
		if result, ok := fit.Refit(&l.Window, last); ok {
			e := result.Event(l.Type, l.Window.Count())
			e.Gives, e.Yield = l.Flow.gives()
			e.Fetch = m.fetches.rate()
			events, rate = append(events, e), cmp.Or(e.Fetch, rate)
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
