// Package facts holds what all parts of admission read: the configuration, the ledger, the time of the
// step, the promises, and the queues that live jobs name.
package facts

import (
	"lull/admission/book"
	"lull/admission/span"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Facts are what all parts of the actor read. The actor alone sets them, but for
// the book.
type Facts struct {
	Config Config
	Ledger *ledger.State
	Now    int64     // Unix nanoseconds of the last step
	Led    int64     // when an admission took the lead last
	Book   book.Book // the promises
}

// Margin is the share that is added to every prediction. The paper's mode
// learns nothing from its promises.
func (f *Facts) Margin() float64 {
	if f.Config.Mode == subjects.ModeEq7 {
		return f.Config.Margin
	}
	return f.Config.Margin + f.Book.Margin
}

// At is the time of a span from now, in Unix nanoseconds.
func (f *Facts) At(in span.Micros) int64 { return f.Now + int64(in)*1e3 }

// Settle is when waiting that began at a time ends.
func (f *Facts) Settle(since int64) int64 { return max(since, f.Led) + int64(f.Config.Settle) }
