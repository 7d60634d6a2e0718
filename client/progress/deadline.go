package progress

import (
	"fmt"
	"time"

	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/ledger"
)

// Promise is what admission said of a job's end when it admitted it. The zero value says nothing.
type Promise struct {
	Finish          time.Time // predicted
	Soonest, Latest time.Time // the interval around Finish; zero for none
	Late            bool      // the deadline was a wish that it could not promise
}

// PromiseOf returns what a verdict promised.
func PromiseOf(e *subjects.Admitted) Promise {
	return Promise{humane.Unix(e.Finish), humane.Unix(e.Soonest), humane.Unix(e.Latest), e.Late}
}

// Kept says whether a job that finished kept its deadline, and by how much: "deadline kept by 12m 4s". It is "" for a
// job without a deadline, or that did not finish.
func Kept(phase ledger.Phase, deadline, ended time.Time) string {
	switch left := deadline.Sub(ended); {
	case phase != ledger.Finished || deadline.IsZero():
		return ""
	case left < 0:
		return "deadline missed by " + humane.Seconds(-left.Seconds())
	default:
		return "deadline kept by " + humane.Seconds(left.Seconds())
	}
}

// kept is a line that says whether the job kept its deadline, beside what was promised. It is "" if there is nothing to
// say.
func (v View) kept() string {
	text := Kept(v.Phase, v.Deadline, v.Ended)
	if late := v.Ended.Sub(v.Deadline); v.Phase == ledger.Failed && !v.Deadline.IsZero() && late > 0 { // before, a retry may keep it
		text = "deadline missed: the job failed " + humane.Seconds(late.Seconds()) + " after it"
	}
	if text == "" {
		return ""
	}
	return "\nD" + text[1:] + " (" + humane.Stamp(v.Deadline.Local()) + ")" + v.Promise.text() + "."
}

// text says what was promised, to follow what became of it.
func (p Promise) text() string {
	switch {
	case p.Late:
		return "; it was not promised, as late: run allows"
	case p.Finish.IsZero():
		return ""
	}
	text := "; when it was admitted, its end was predicted for " + clock(p.Finish)
	if !p.Soonest.IsZero() && !p.Latest.IsZero() {
		text += fmt.Sprintf(", with 90 %% between %s and %s", clock(p.Soonest), clock(p.Latest))
	}
	return text
}

func clock(at time.Time) string { return at.Local().Format(time.TimeOnly) }
