package admission

import (
	"fmt"
	"time"

	"lull/admission/judge"
	"lull/admission/pool"
	"lull/admission/span"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/spec"
)

// longWait is how long before its verdict a job must have been stamped for tooLate to say so.
const longWait = time.Minute

// tooLate rejects a job whose deadline is over. The job's time, from which a deadline such as 10m counts, is
// the server's stamp. If the server's clock was set back while no admission led, that is long before
// the log's time (actors/core/floor.go corrects it otherwise), so the text names both.
func (v *verdicts) tooLate(n pool.Newcomer) *subjects.Rejected {
	text := fmt.Sprintf("its deadline was over %s before it could be considered: give one that is still to come",
		about(span.Since(n.Deadline, v.Now)))
	if gap := time.Duration(v.Now - n.At); gap > longWait {
		stamp := func(at int64) string { return time.Unix(0, at).UTC().Format(time.RFC3339) }
		text = fmt.Sprintf("its deadline was over when it was considered: the server stamped it %s, %s before the log's time, %s; "+
			"if admission was not down that long, the server's clock disagrees with the log by as much: set it right, or submit again in a minute, when the pool follows it",
			stamp(n.At), humane.Seconds(gap.Seconds()), stamp(v.Now))
	}
	return n.Rejected(subjects.ReasonPast, text, 0)
}

func (v *verdicts) admit(n pool.Newcomer, l *pool.Load, f judge.Finding) *subjects.Admitted {
	e := &subjects.Admitted{Job: n.ID, Mode: v.Config.Mode, Margin: v.Margin()}
	if f.Finish >= span.Horizon {
		e.Why = "it waits for CPU: no host is expected to leave any"
		return e
	}
	e.Finish = v.At(f.Finish)
	if low, high, ok := v.judge.Interval(l, f); ok {
		e.Soonest, e.Latest = v.At(low), v.At(high)
	}
	if service, known := v.pool.Costs.Service(l); known {
		e.Service = service
	}
	if v.Config.Mode != subjects.ModeAll {
		e.Pushed = f.Pushed
	}
	e.Why = v.whyAdmitted(l, f)
	if l.Deadline != pool.None {
		e.Slack = (l.UntilDeadline(v.Now) - f.Finish).Seconds()
	}
	return e
}

// admitLate admits a job without a promise, because its deadline is a wish that cannot be kept.
func (v *verdicts) admitLate(n pool.Newcomer, l *pool.Load, f judge.Finding) *subjects.Admitted {
	_, text := v.whyRefused(n, l, f)
	deadline := l.Deadline
	l.Deadline = pool.None
	f = v.judge.Predict(l)
	e := v.admit(n, l, f)
	l.Deadline = deadline
	e.Late, e.Slack = true, 0
	if f.Finish < span.Horizon {
		e.Slack = (l.UntilDeadline(v.Now) - f.Finish).Seconds()
	}
	e.Why = text + "; it runs all the same, after the jobs whose deadlines can be kept, as late: run asks"
	return e
}

// whyAdmitted says why a job is admitted.
func (v *verdicts) whyAdmitted(l *pool.Load, f judge.Finding) string {
	text := "done in about " + about(f.Finish)
	if f.Finish == 0 {
		text = "its tasks have all run"
	}
	switch slack := l.UntilDeadline(v.Now) - f.Finish; {
	case l.Deadline == pool.None:
	case slack < 0:
		text += fmt.Sprintf(", %s after its deadline", about(-slack))
	default:
		text += fmt.Sprintf(", %s before its deadline", about(slack))
	}
	return text + behind(f) + l.Fetching() + v.grounds.noteGuess(f)
}

// behind says what a job waits for.
func behind(f judge.Finding) string {
	switch {
	case f.Ahead > 0 && f.Start < span.Horizon:
		return fmt.Sprintf(", behind %s of %s", humane.Count(f.Ahead, "job"), about(f.Start))
	case f.Ahead > 0:
		return fmt.Sprintf(", behind %s", humane.Count(f.Ahead, "job"))
	case f.Start > 0 && f.Start < span.Horizon:
		return fmt.Sprintf(", behind running tasks of %s", about(f.Start))
	}
	return ""
}

// refuse says why not, what that rests on, and what would help. The earliest safe deadline
// is a time, which each reader of the event shows in its own zone.
func (v *verdicts) refuse(n pool.Newcomer, l *pool.Load, f judge.Finding) *subjects.Rejected {
	code, text := v.whyRefused(n, l, f)
	at := int64(0)
	if safe, ok := v.judge.Earliest(l); ok {
		at = roundUp(v.At(safe))
	}
	return n.Rejected(code, text+"\n"+v.grounds.assumed(l)+"\n"+v.grounds.remedies(l), at)
}

func (v *verdicts) whyRefused(n pool.Newcomer, l *pool.Load, f judge.Finding) (code, text string) {
	switch {
	case f.Finish >= span.Horizon:
		return subjects.ReasonDeadline, "no host is expected to leave it any CPU: the hosts are taken by their primaries, paused or silent"
	case f.Sure <= l.UntilDeadline(v.Now):
		return subjects.ReasonOthers, fmt.Sprintf("it would make job %s miss its deadline by %s", f.Victim.ID(), about(f.Late))
	}
	would, late := "is predicted to end", f.Finish
	if late <= l.UntilDeadline(v.Now) {
		would, late = "might end", f.Sure // the times of tasks vary
	}
	return subjects.ReasonDeadline, fmt.Sprintf("it %s %s after its deadline: %s%s %s %s%s",
		would, about(late-l.UntilDeadline(v.Now)), humane.Count(n.Tasks(), "task"), atOnce(n.Spec), take(n.Tasks()), about(v.judge.DurationAlone(l)), behind(f)+l.Fetching())
}

// atOnce says by how much at_once slows the job down.
func atOnce(j *spec.Job) string {
	most := j.AtOnce
	if len(j.Stages) == 1 && spec.BoundsAtOnce(j) {
		most = spec.MostAtOnce(j, 0)
	}
	if most == 0 {
		return ""
	}
	return fmt.Sprintf(", at most %d at once (at_once:),", most)
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
