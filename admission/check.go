package admission

import (
	"fmt"

	"lull/admission/facts"
	"lull/admission/judge"
	"lull/admission/pool"
	"lull/admission/span"
	"lull/subjects"
)

// checker checks whether promises still hold.
type checker struct {
	*facts.Facts
	pool    *pool.Pool
	judge   *judge.Judge
	checkAt int64 // time of the next check
	checked int   // jobs that the present round has checked; 0 between rounds
}

// check predicts every few seconds whether the promises still hold. It adds an event when one no longer
// does, or does again. A long queue is checked in parts, spread over these seconds. A pool that
// admits everything has promised nothing.
func (w *checker) check(b *batch) {
	if w.Now < w.checkAt {
		return
	}
	from, due := w.checked, w.pool.Queue.Due()
	w.checked, w.checkAt = 0, w.Now+int64(w.Config.Check)
	if due == 0 || w.Config.Mode == subjects.ModeAll || w.Now < w.Settle(0) {
		return // nothing to break, or telemetry may just not have come yet
	}
	if from == 0 || from >= due {
		from = 0
		w.pool.Refresh()
		w.pool.Running.Measure()
	}
	var over []*pool.Load
	w.checked = w.judge.Ends(from, due, func(l *pool.Load, finish span.Micros) {
		if l.Shape.Late && l.Deadline < w.Now {
			over = append(over, l)
			return
		}
		if l.Life != nil && l.Life.Live() && b.room() > 0 {
			w.compare(b, l, finish)
		}
	})
	for _, l := range over {
		w.pool.DropDeadline(l)
	}
	if w.checked != 0 {
		w.checkAt = w.Now + int64(w.Config.Check)*judge.MaxChecks/int64(due)
	}
}

// compare adds an event when a prediction passes the deadline, and when it is early again. In a band
// around the deadline it adds none, so that a job with a slack near zero does not fill the log.
func (w *checker) compare(b *batch, l *pool.Load, finish span.Micros) {
	slack, band := l.UntilDeadline(w.Now)-finish, l.Band()
	switch {
	case !l.Life.Endangered && slack < -band:
		b.add(w.endangered(l, finish, slack))
	case l.Life.Endangered && slack > band:
		e := w.dangerEvent(l, finish, slack)
		e.Why = fmt.Sprintf("it is predicted to keep its deadline again, by %s", about(slack))
		b.add(e)
	}
}

func (w *checker) endangered(l *pool.Load, finish, slack span.Micros) *subjects.Endangered {
	e := w.dangerEvent(l, finish, slack)
	e.Why = "it is now predicted to be late by " + about(-slack)
	if finish >= span.Horizon {
		e.Why = "no host is expected to leave it any CPU"
	}
	if cause := w.cause(l, w.pool.Conditions()); cause != "" {
		e.Why += ": " + cause
	}
	return e
}

func (w *checker) dangerEvent(l *pool.Load, finish, slack span.Micros) *subjects.Endangered {
	e := &subjects.Endangered{Job: l.ID(), Slack: slack.Seconds()}
	if finish < span.Horizon {
		e.Finish = w.At(finish)
	}
	return e
}
