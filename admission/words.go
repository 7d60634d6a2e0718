package admission

import (
	"fmt"
	"math"
	"time"

	"lull/subjects"
)

func (n newcomer) rejected(code, text string, earliest int64) *subjects.Rejected {
	return &subjects.Rejected{
		Job: n.id, Name: n.spec.Name, Inbox: n.inbox, Trace: n.trace,
		Code: code, Text: text, Earliest: earliest,
	}
}

func (a *Actor) tooLate(n newcomer) *subjects.Rejected {
	text := fmt.Sprintf("its deadline %s was over %s before it could be considered: give one that is still to come",
		clock(n.deadline), about(time.Duration(a.now-n.deadline)))
	return n.rejected(subjects.ReasonPast, text, 0)
}

func (a *Actor) admit(n newcomer, l load, f finding) *subjects.Admitted {
	e := &subjects.Admitted{Job: n.id, Mode: a.cfg.Mode}
	if f.finish >= horizon {
		e.Why = "it waits for CPU: no host offers it any now"
		return e
	}
	e.Finish = a.now + int64(f.finish)
	e.Why = "done in about " + about(f.finish)
	if l.deadline != none {
		e.Slack = seconds(l.deadline - f.finish)
		e.Why += fmt.Sprintf(", %s before its deadline", about(l.deadline-f.finish))
	}
	return e
}

// refuse says why not, and from which deadline on it could be.
func (a *Actor) refuse(b *bench, n newcomer, l load, f finding) *subjects.Rejected {
	code, text := subjects.ReasonDeadline, a.ownFault(b, n, l, f)
	if f.finish <= l.deadline {
		code = subjects.ReasonOthers
		text = fmt.Sprintf("it would make job %s miss its deadline %s by %s",
			f.victim.id, a.at(f.victim.deadline), about(f.late))
	}
	safe, ok := earliest(b.queue, l, a.cfg.Mode)
	if !ok {
		return n.rejected(code, text, 0)
	}
	at := roundUp(a.now + int64(safe))
	text += fmt.Sprintf("; the earliest safe deadline is %s, in %s", clock(at), about(safe))
	return n.rejected(code, text, at)
}

func (a *Actor) ownFault(b *bench, n newcomer, l load, f finding) string {
	if f.finish >= horizon {
		return "no host offers it any CPU now: the hosts are taken by their primaries, paused or not heard of"
	}
	tasks := uint32(0)
	for i := range n.spec.Stages {
		tasks += n.spec.Stages[i].Tasks
	}
	text := fmt.Sprintf("it would be done at %s, %s after its deadline: %s take %s",
		a.at(f.finish), about(f.finish-l.deadline), plural(int(tasks), "task"), about(l.jct))
	if ahead := b.queue.before(l.deadline); len(ahead) > 0 {
		text += fmt.Sprintf(", behind %s of %s", plural(len(ahead), "job"), about(ahead.work()))
	}
	return text
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// at is the clock time of a span from now.
func (a *Actor) at(span time.Duration) string { return clock(a.now + int64(span)) }

func clock(at int64) string { return time.Unix(0, at).UTC().Format("2006-01-02 15:04:05 UTC") }

// about is a span as people say it: whole seconds, or less when it is short.
func about(span time.Duration) string {
	if span < time.Minute {
		return span.Round(100 * time.Millisecond).String()
	}
	return span.Round(time.Second).String()
}

// roundUp is the next whole second: a deadline that people can type.
func roundUp(at int64) int64 {
	second := int64(time.Second)
	return (at + second - 1) / second * second
}

func seconds(span time.Duration) float64 { return math.Round(span.Seconds()*1e3) / 1e3 }
