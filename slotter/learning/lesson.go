package learning

import (
	"cmp"
	"slices"

	"lull/slotter/fit"
	"lull/subjects"
	"lull/subjects/ledger"
)

// maxTypes is the number of models whose samples are kept.
const maxTypes = 1000

// Lesson is what the finished tasks of one model showed.
type Lesson struct {
	Type   string     `msgpack:"type"`
	Used   uint64     `msgpack:"used"`  // log sequence of the last sample
	Since  uint64     `msgpack:"since"` // log sequence from which on a model predicted its tasks, 0 for not yet
	Window fit.Window `msgpack:"window"`
	Flow   Flow       `msgpack:"flow"`
	// Whole is how many samples there were when a stage of the model was last over: see fit.Due.
	Whole uint64 `msgpack:"whole,omitempty"`

	due     bool // samples came since the last look
	fetches bool // of them, of tasks that fetched
}

// Lessons are ordered by the model's name.
type Lessons []*Lesson

func (s Lessons) indexOf(model string) (int, bool) {
	return slices.BinarySearchFunc(s, model, func(l *Lesson, name string) int { return cmp.Compare(l.Type, name) })
}

// of is a model's lesson. It drops the one that was idle longest when there are
// too many.
func (s *Lessons) of(state *ledger.State, model string, seq uint64) *Lesson {
	at, ok := s.indexOf(model)
	if !ok {
		if len(*s) >= maxTypes {
			s.drop()
			at, _ = s.indexOf(model)
		}
		*s = slices.Insert(*s, at, newLesson(state, model, seq))
	}
	l := (*s)[at]
	l.Used = seq
	return l
}

// newLesson opens a model's window. It counts on from the model that stands, so
// that a window which was dropped does not have to catch up with it.
func newLesson(state *ledger.State, model string, seq uint64) *Lesson {
	l := &Lesson{Type: model}
	if f := state.Model(model); f != nil {
		l.Window.Seen, l.Since = uint64(f.Samples), seq
	}
	return l
}

func (s *Lessons) drop() {
	oldest := 0
	for i, l := range *s {
		if l.Used < (*s)[oldest].Used {
			oldest = i
		}
	}
	*s = slices.Delete(*s, oldest, oldest+1)
}

// sample returns what an attempt shows. Its prediction counts as the model's if it was assigned
// after the model was fitted. In the log, models come after the assignments of their batch, so
// assignments that follow them were decided with them.
func (l *Lesson) sample(at *ledger.Attempt, run *subjects.Run) fit.Sample {
	s := fit.Sample{Residual: run.Residual, Known: at.Why.Residual, Seconds: run.Seconds, Bytes: float64(run.In), Read: run.Read}
	if run.In == 0 {
		s.Bytes = float64(at.Job.Stages[at.Task.Stage].Bytes)
	}
	if l.Since != 0 && at.ID > l.Since {
		s.Expected = at.Why.Expected
	}
	return s
}

func (l *Lesson) adopt(seq uint64, f *subjects.Fitted) {
	l.Window.Adopt(f)
	if l.Since == 0 {
		l.Since = seq
	}
}
