package admission

import (
	"fmt"
	"time"

	"lull/admission/level"
	"lull/admission/span"
	"lull/subjects"
	"lull/subjects/humane"
)

func (v *verdicts) tooLate(n newcomer) *subjects.Rejected {
	text := fmt.Sprintf("its deadline was over %s before it could be considered: give one that is still to come",
		about(span.Since(n.deadline, v.Now)))
	return n.rejected(subjects.ReasonPast, text, 0)
}

func (v *verdicts) admit(n newcomer, l *load, f finding) *subjects.Admitted {
	e := &subjects.Admitted{Job: n.id, Mode: v.Config.Mode, Margin: v.Margin()}
	if f.finish >= span.Horizon {
		e.Why = "it waits for CPU: no host is expected to leave any"
		return e
	}
	e.Finish = v.At(f.finish)
	if low, high, ok := v.judge.interval(l, f); ok {
		e.Soonest, e.Latest = v.At(low), v.At(high)
	}
	if service, known := v.pool.costs.service(l); known {
		e.Service = service
	}
	if v.Config.Mode != subjects.ModeAll {
		e.Pushed = f.pushed
	}
	e.Why = v.well(l, f)
	if l.deadline != none {
		e.Slack = (l.untilDeadline(v.Now) - f.finish).Seconds()
	}
	return e
}

// admitLate admits a job without a promise, because its deadline is a wish that cannot be kept.
func (v *verdicts) admitLate(n newcomer, l *load, f finding) *subjects.Admitted {
	_, text := v.fault(n, l, f)
	deadline := l.deadline
	l.deadline = none
	f = v.judge.predict(l)
	e := v.admit(n, l, f)
	l.deadline = deadline
	e.Late, e.Slack = true, 0
	if f.finish < span.Horizon {
		e.Slack = (l.untilDeadline(v.Now) - f.finish).Seconds()
	}
	e.Why = text + "; it runs all the same, after the jobs whose deadlines can be kept, because its document says late: run"
	return e
}

// well says why a job is admitted.
func (v *verdicts) well(l *load, f finding) string {
	text := "done in about " + about(f.finish)
	if f.finish == 0 {
		text = "its tasks have all run"
	}
	switch slack := l.untilDeadline(v.Now) - f.finish; {
	case l.deadline == none:
	case slack < 0:
		text += fmt.Sprintf(", %s after its deadline", about(-slack))
	default:
		text += fmt.Sprintf(", %s before its deadline", about(slack))
	}
	return text + behind(f) + l.fetching() + v.short(f)
}

// behind says what a job waits for.
func behind(f finding) string {
	switch {
	case f.ahead > 0 && f.start < span.Horizon:
		return fmt.Sprintf(", behind %s of %s", humane.Count(f.ahead, "job"), about(f.start))
	case f.ahead > 0:
		return fmt.Sprintf(", behind %s", humane.Count(f.ahead, "job"))
	case f.start > 0 && f.start < span.Horizon:
		return fmt.Sprintf(", behind running tasks of %s", about(f.start))
	}
	return ""
}

// refuse says why not, what that rests on, and what would help. The earliest safe deadline
// is a time, which each reader of the event shows in its own zone.
func (v *verdicts) refuse(n newcomer, l *load, f finding) *subjects.Rejected {
	code, text := v.fault(n, l, f)
	at := int64(0)
	if safe, ok := v.judge.earliest(l); ok {
		at = roundUp(v.At(safe))
	}
	return n.rejected(code, text+"\n"+v.assumed(l)+"\n"+v.remedies(l), at)
}

func (v *verdicts) fault(n newcomer, l *load, f finding) (code, text string) {
	switch {
	case f.finish >= span.Horizon:
		return subjects.ReasonDeadline, "no host is expected to leave it any CPU: the hosts are taken by their primaries, paused or silent"
	case f.sure <= l.untilDeadline(v.Now):
		return subjects.ReasonOthers, fmt.Sprintf("it would make job %s miss its deadline by %s", f.victim.id(), about(f.late))
	}
	would, late := "is predicted to end", f.finish
	if late <= l.untilDeadline(v.Now) {
		would, late = "might end", f.sure // the times of tasks vary
	}
	return subjects.ReasonDeadline, fmt.Sprintf("it %s %s after its deadline: %s %s %s%s",
		would, about(late-l.untilDeadline(v.Now)), humane.Count(n.tasks(), "task"), take(n.tasks()), about(v.judge.alone(l)), behind(f)+l.fetching())
}

// alone is how long the job would take if nothing were before it.
func (j *judge) alone(l *load) span.Micros {
	s := scan{warp: &j.pool.supply.warp, Rise: level.Rise{Level: level.New(make([]span.Micros, j.pool.supply.slots))}}
	return s.next(l)
}

func take(tasks int) string {
	if tasks == 1 {
		return "takes"
	}
	return "take"
}

// about is a span as people say it.
func about(m span.Micros) string {
	if m >= span.Horizon/2 {
		m = span.Horizon // what differs from never by some time is never, too
	}
	return humane.Seconds(m.Seconds())
}

// roundUp is the next whole second: a deadline that people can type.
func roundUp(at int64) int64 {
	second := int64(time.Second)
	return (at + second - 1) / second * second
}
