package admission

import (
	"fmt"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
)

// check looks, every few seconds, whether the promises still hold, and says
// when one no longer does, or does again.
func (a *Actor) check(b *bench) {
	if a.now < a.checkAt {
		return
	}
	a.checkAt = a.now + int64(a.cfg.Check)
	if !a.promised() || a.now < a.settle(0) {
		return // nothing to break, or telemetry may just not have come yet
	}
	a.prepare(b)
	start := time.Duration(0)
	for _, l := range b.queue {
		if j := a.state.Job(l.id); l.deadline != none && j != nil && j.Live() && b.room() > 0 {
			a.compare(b, j, l, plus(start, l.jct))
		}
		start = plus(start, l.work)
	}
}

// promised reports whether a live job has a deadline.
func (a *Actor) promised() bool {
	for _, j := range a.state.LiveJobs() {
		if j.Live() && j.Deadline != 0 {
			return true
		}
	}
	return false
}

// compare says when a prediction passes the deadline, and when it is back. In
// between lies a band in which nothing is said, so that a job whose slack
// hovers about zero does not fill the log.
func (a *Actor) compare(b *bench, j *ledger.Job, l load, finish time.Duration) {
	slack, band := l.deadline-finish, a.band(j)
	switch {
	case !j.Endangered && slack < -band:
		b.add(a.endangered(j.ID, finish, slack, "it is now predicted to be late by "+about(-slack)))
	case j.Endangered && slack > band:
		b.add(a.endangered(j.ID, finish, slack, fmt.Sprintf("it is predicted to keep its deadline again, by %s", about(slack))))
	}
}

// band is a fiftieth of the time that the job was given, but a second at least.
func (a *Actor) band(j *ledger.Job) time.Duration {
	return max(time.Second, time.Duration(j.Deadline-j.Submitted)/50)
}

func (a *Actor) endangered(job string, finish, slack time.Duration, why string) *subjects.Endangered {
	e := &subjects.Endangered{Job: job, Slack: seconds(slack), Why: why}
	if finish >= horizon {
		e.Why = "no host offers it any CPU now"
		return e
	}
	e.Finish = a.now + int64(finish)
	return e
}
