package slotter

import (
	"slices"

	"lull/slotter/fit"
	"lull/subjects"
	"lull/subjects/ledger"
)

const (
	maxTypes  = 1000 // job types whose samples are kept
	fitsRound = 4    // fits in one step; one takes about a millisecond
)

// lesson is what one type's finished tasks showed.
type lesson struct {
	Type   string     `msgpack:"type"`
	Used   uint64     `msgpack:"used"` // log sequence of the last sample
	Window fit.Window `msgpack:"window"`

	due bool // samples came since the last look
}

// lessons are kept by type.
type lessons []*lesson

func (s lessons) find(jobType string) (int, bool) {
	return slices.BinarySearchFunc(s, jobType, func(l *lesson, name string) int {
		switch {
		case l.Type < name:
			return -1
		case l.Type > name:
			return 1
		}
		return 0
	})
}

// take adds a finished run, and drops the type that was idle longest when
// there are too many.
func (s *lessons) take(state *ledger.State, jobType string, seq uint64, known float64, run subjects.Run) {
	at, ok := s.find(jobType)
	if !ok {
		if len(*s) >= maxTypes {
			s.drop()
			at, _ = s.find(jobType)
		}
		*s = slices.Insert(*s, at, begin(state, jobType))
	}
	l := (*s)[at]
	l.Used = seq
	l.due = l.Window.Add(fit.Sample{Residual: run.Residual, Known: known, Seconds: run.Seconds}) || l.due
}

// begin opens a type's window. It counts on from the model that stands, so
// that a window which was dropped does not have to catch up with it.
func begin(state *ledger.State, jobType string) *lesson {
	l := &lesson{Type: jobType}
	if model := state.Model(jobType); model != nil {
		l.Window.Seen = uint64(model.Samples)
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

// learn says what new samples taught. A model that was said but never came
// back is still due with the next sample.
func (a *Actor) learn(b *batch) {
	fits := 0
	for _, l := range a.lessons {
		if !l.due || fits == fitsRound || b.room() == 0 {
			continue
		}
		l.due = false
		if !fit.Due(&l.Window, a.state.Model(l.Type)) {
			continue
		}
		fits++
		if result, ok := fit.Fit(l.Window.Samples()); ok {
			b.add(result.Event(l.Type, l.Window.Seen))
		}
	}
}
