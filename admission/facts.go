package admission

import (
	"lull/admission/book"
	"lull/admission/span"
	"lull/subjects"
	"lull/subjects/ledger"
)

// facts are what all parts of the actor read. The actor alone sets them, but for
// the book.
type facts struct {
	cfg   Config
	state *ledger.State
	now   int64     // Unix nanoseconds of the last step
	led   int64     // when an admission took the lead last
	book  book.Book // the promises
}

// margin is the share that is added to every prediction. The paper's mode
// learns nothing from its promises.
func (f *facts) margin() float64 {
	if f.cfg.Mode == subjects.ModeEq7 {
		return f.cfg.Margin
	}
	return f.cfg.Margin + f.book.Margin
}

// at is the time of a span from now, in Unix nanoseconds.
func (f *facts) at(in span.Micros) int64 { return f.now + int64(in)*1e3 }

// until is the span from now to a load's deadline.
func (f *facts) until(l *load) span.Micros {
	if l.deadline == none {
		return span.Endless
	}
	return span.Since(f.now, l.deadline)
}

// settle is when waiting that began at a time ends.
func (f *facts) settle(since int64) int64 { return max(since, f.led) + int64(f.cfg.Settle) }
