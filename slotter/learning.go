package slotter

import (
	"cmp"
	"slices"

	"lull/slotter/fit"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/tct"
)

const (
	maxTypes  = 1000 // models whose samples are kept
	fitsRound = 4    // fits in one step; one takes half a millisecond
)

// lesson is what the finished tasks of one model showed.
type lesson struct {
	Type   string     `msgpack:"type"`
	Used   uint64     `msgpack:"used"`  // log sequence of the last sample
	Since  uint64     `msgpack:"since"` // log sequence from which on a model predicted its tasks, 0 for not yet
	Window fit.Window `msgpack:"window"`

	due bool // samples came since the last look
}

// lessons are kept by the model's name.
type lessons []*lesson

func (s lessons) find(model string) (int, bool) {
	return slices.BinarySearchFunc(s, model, func(l *lesson, name string) int { return cmp.Compare(l.Type, name) })
}

// of is a model's lesson. It drops the one that was idle longest when there are
// too many.
func (s *lessons) of(state *ledger.State, model string, seq uint64) *lesson {
	at, ok := s.find(model)
	if !ok {
		if len(*s) >= maxTypes {
			s.drop()
			at, _ = s.find(model)
		}
		*s = slices.Insert(*s, at, begin(state, model, seq))
	}
	l := (*s)[at]
	l.Used = seq
	return l
}

// begin opens a model's window. It counts on from the model that stands, so
// that a window which was dropped does not have to catch up with it.
func begin(state *ledger.State, model string, seq uint64) *lesson {
	l := &lesson{Type: model}
	if f := state.Model(model); f != nil {
		l.Window.Seen, l.Since = uint64(f.Samples), seq
	}
	return l
}

func (s *lessons) drop() {
	oldest := 0
	for i, l := range *s {
		if l.Used < (*s)[oldest].Used {
			oldest = i
		}
	}
	*s = slices.Delete(*s, oldest, oldest+1)
}

// learning makes models of the completion times of finished tasks, and puts them to use.
type learning struct {
	*catalog
	lessons lessons
	alarms  alarms
}

// teach takes in how an attempt ran. One that was held to a rate says nothing of
// what its slot left it: what it used stands for that, as long as there is no
// model at all.
func (l *learning) teach(seq uint64, at *ledger.Attempt, run *subjects.Run) {
	if at.Paced {
		used := run.CPU / (run.Seconds * float64(at.Width))
		if l.state.Model(at.Job.Shape.Model(int(at.Task.Stage))) != nil || !(used >= tct.MinResidual) {
			return
		}
		told := *run
		told.Residual = min(used, run.Residual)
		run = &told
	}
	lesson := l.lessons.of(l.state, at.Job.Shape.Model(int(at.Task.Stage)), seq)
	lesson.due = lesson.Window.Add(lesson.sample(at, run)) || lesson.due
}

// sample is what an attempt shows. Its prediction counts as the model's if it
// was assigned after the model stood: models are said behind the assignments
// of their batch, so what follows them in the log was decided with them.
func (l *lesson) sample(at *ledger.Attempt, run *subjects.Run) fit.Sample {
	s := fit.Sample{Residual: run.Residual, Known: at.Why.Residual, Seconds: run.Seconds, Bytes: float64(run.In), Read: run.Read}
	if run.In == 0 {
		s.Bytes = float64(at.Job.Stages[at.Task.Stage].Bytes)
	}
	if l.Since != 0 && at.ID > l.Since {
		s.Expected = at.Why.Expected
	}
	return s
}

// adopt puts a model to use.
func (l *learning) adopt(seq uint64, f *subjects.Fitted) {
	if at, ok := l.lessons.find(f.Type); ok {
		l.lessons[at].adopt(seq, f)
	}
	l.alarms.seen = false
	l.refit(f.Type)
}

func (l *lesson) adopt(seq uint64, f *subjects.Fitted) {
	l.Window.Adopt(f)
	if l.Since == 0 {
		l.Since = seq
	}
}

// decide fits the models that new samples call for. A model that was decided but never
// came back is still due with the next sample.
func (l *learning) decide(b *batch) {
	if l.cfg.Models == ModelsFixed {
		return
	}
	fits := 0
	for _, lesson := range l.lessons {
		if !lesson.due || fits == fitsRound || b.room() == 0 {
			continue
		}
		lesson.due = false
		last := l.state.Model(lesson.Type)
		if !fit.Due(&lesson.Window, last, l.curveOf(last)) {
			continue
		}
		fits++
		if result, ok := fit.Refit(&lesson.Window, last); ok {
			b.add(result.Event(lesson.Type, lesson.Window.Count()))
		}
	}
}

// curveOf is a model's curve for its own size, nil without a model.
func (l *learning) curveOf(f *subjects.Fitted) *tct.Curve {
	if f == nil {
		return nil
	}
	return l.curves.Of(f, 0, 0)
}
