package admission

import (
	"time"

	"lull/admission/span"
	"lull/subjects"
)

// askedEvery bounds how old a look at the pool may be that answers a question: people watch
// jobs that take seconds.
const askedEvery = int64(200 * time.Millisecond)

// renew gives lines of live jobs the present predictions of their ends, in place of those in their
// last events.
func (a *Actor) renew(lines []subjects.JobLine) {
	asked := map[*load]*subjects.JobLine{}
	for i := range lines {
		if j := a.facts.Ledger.Job(lines[i].Job); j != nil && j.Live() {
			if l := a.pool.load(j); l != nil {
				asked[l] = &lines[i]
			}
		}
	}
	if len(asked) == 0 {
		return
	}
	a.pool.refreshSince(askedEvery)
	played := a.judge.current(func(l *load, finish span.Micros) {
		if line := asked[l]; line != nil {
			a.predicted(line, l, finish)
		}
	})
	if played || len(asked) > 1 {
		return
	}
	for l, line := range asked {
		a.predicted(line, l, a.judge.behind(l))
	}
}

// predicted fills in a job's predicted end, none if no host is expected to leave it any CPU.
func (a *Actor) predicted(line *subjects.JobLine, l *load, finish span.Micros) {
	line.Finish, line.Slack = 0, 0
	if finish >= span.Horizon {
		return
	}
	line.Finish = a.facts.At(finish)
	if l.deadline != none {
		line.Slack = (l.untilDeadline(a.facts.Now) - finish).Seconds()
	}
}

// current predicts the end of each job, without reserve or variance. It is false if the queue is
// too long to be played.
func (j *judge) current(see func(l *load, finish span.Micros)) bool {
	queue := j.pool.queue.few()
	r, ok := j.rehearse(queue, nil)
	if !ok {
		return false
	}
	for i := range r.cast {
		r.cast[i].wanted = true
	}
	r.takes = 1
	r.each(func(p *play) {
		for i, l := range queue {
			see(l, p.parts[i].end)
		}
	})
	return true
}

// behind predicts the end of a job of the queue by the work before it.
func (j *judge) behind(l *load) span.Micros {
	at := j.pool.queue.Before(func(other *load) bool { return earlier(other, l) >= 0 })
	_, finish := j.place(l, j.pool.queue.work(at))
	return finish
}
