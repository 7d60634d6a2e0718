package admission

import (
	"fmt"

	"lull/subjects"
)

// maxChecks is how many promises are looked at in one step: in some milliseconds.
const maxChecks = 20_000

// check looks, every few seconds, whether the promises still hold, and says
// when one no longer does, or does again. A long queue is looked at in parts,
// spread over these seconds. A pool that admits everything has promised nothing.
func (a *Actor) check(b *bench) {
	if a.now < a.checkAt {
		return
	}
	from, due := a.checked, a.queue.due()
	a.checked, a.checkAt = 0, a.now+int64(a.cfg.Check)
	if due == 0 || a.cfg.Mode == ModeAll || a.now < a.settle(0) {
		return // nothing to break, or telemetry may just not have come yet
	}
	if from == 0 || from >= due {
		from = 0
		a.look()
		a.measure()
	}
	a.checked = a.ends(from, due, func(l *load, finish micros) {
		if l.life != nil && l.life.Live() && b.room() > 0 {
			a.compare(b, l, finish)
		}
	})
	if a.checked != 0 {
		a.checkAt = a.now + int64(a.cfg.Check)*maxChecks/int64(due)
	}
}

// compare says when a prediction passes the deadline, and when it is back. In
// between lies a band in which no event is made, so that a job with a slack
// near zero does not fill the log.
func (a *Actor) compare(b *bench, l *load, finish micros) {
	slack, band := a.until(l)-finish, l.band()
	switch {
	case !l.life.Endangered && slack < -band:
		b.add(a.endangered(l, finish, slack))
	case l.life.Endangered && slack > band:
		e := a.danger(l, finish, slack)
		e.Why = fmt.Sprintf("it is predicted to keep its deadline again, by %s", about(slack))
		b.add(e)
	}
}

// band is a fiftieth of the time that the job was given, but a second at least.
func (l *load) band() micros {
	return max(1e6, since(l.life.Submitted, l.deadline)/50)
}

func (a *Actor) endangered(l *load, finish, slack micros) *subjects.Endangered {
	e := a.danger(l, finish, slack)
	e.Why = "it is now predicted to be late by " + about(-slack)
	if finish >= horizon {
		e.Why = "no host offers it any CPU now"
	}
	if cause := a.cause(l, a.conditions()); cause != "" {
		e.Why += ": " + cause
	}
	return e
}

func (a *Actor) danger(l *load, finish, slack micros) *subjects.Endangered {
	e := &subjects.Endangered{Job: l.id(), Slack: slack.seconds()}
	if finish < horizon {
		e.Finish = a.at(finish)
	}
	return e
}
