package page

import (
	"slices"
	"strings"

	"lull/subjects"
	"lull/subjects/ledger"
)

// Speed returns how fast an attempt reads now, in bytes/s, and whether its host reported that lately.
type Speed func(*ledger.Attempt) (rate float64, heard bool)

// Queues returns one page of the queues. The page covers the state from ask.From on: first the queues
// that operators have set, then the tasks on hosts, then the open jobs. A queue may be on several pages.
func Queues(s *ledger.State, ask *subjects.QueuesAsk, speed Speed) *subjects.QueuesAnswer {
	p := &queuePage{state: s, from: ask.From, now: ask.Now, speed: speed, lines: map[string]*subjects.QueueLine{}}
	_ = p.addSetQueues() && p.addRunning() && p.addOpenJobs()
	answer := &subjects.QueuesAnswer{Folded: subjects.Folded{Seq: s.Seq}, Next: p.next}
	for _, line := range p.lines {
		answer.Queues = append(answer.Queues, *line)
	}
	slices.SortFunc(answer.Queues, func(a, b subjects.QueueLine) int { return strings.Compare(a.Queue, b.Queue) })
	return answer
}

// queuePage is a page that is being filled. Its methods addSetQueues, addRunning and
// addOpenJobs return false once the page is full; next is then where the next page begins.
type queuePage struct {
	state *ledger.State
	from  subjects.QueuesFrom
	now   int64
	speed Speed
	lines map[string]*subjects.QueueLine
	looks int // queues, hosts, attempts and jobs examined
	next  subjects.QueuesFrom
}

// full reports whether the page has examined or lists as many items as a page may.
func (p *queuePage) full() bool { return p.looks >= pageLooks || len(p.lines) >= pageLines }

// line returns the line of a queue, which it adds if there is none.
func (p *queuePage) line(name string) *subjects.QueueLine {
	line := p.lines[name]
	if line == nil {
		q, set := p.state.Queue(name)
		line = &subjects.QueueLine{Queue: name, Weight: q.Weight, SetByOperator: set, By: q.By, AtOnce: q.Jobs}
		p.lines[name] = line
	}
	return line
}

// addSetQueues adds the queues that operators have set.
func (p *queuePage) addSetQueues() bool {
	if p.from.Host != "" || p.from.Job != 0 {
		return true
	}
	for q := range p.state.Queues() {
		if q.Name <= p.from.Queue {
			continue
		}
		if p.full() {
			return false
		}
		p.looks++
		p.line(q.Name)
		p.next = subjects.QueuesFrom{Queue: q.Name}
	}
	return true
}

// addRunning adds the tasks that hosts run.
func (p *queuePage) addRunning() bool {
	if p.from.Job != 0 {
		return true
	}
	for _, h := range p.state.Hosts()[hostsUntil(p.state, p.from.Host):] {
		if p.full() {
			return false
		}
		p.looks++
		for _, at := range h.Attempts() {
			p.looks++
			if at.Job.Live() && at.Holds() {
				p.addAttempt(at)
			}
		}
		p.next = subjects.QueuesFrom{Host: h.Name}
	}
	return true
}

// addAttempt adds a running attempt to the line of its queue.
func (p *queuePage) addAttempt(at *ledger.Attempt) {
	line := p.line(at.Job.Shape.Share())
	line.Running++
	line.Width += at.Host.PlacesOf(at)
	if rate := at.Rate(); rate > 0 {
		subjects.AddRate(&line.Pace, rate)
	}
	if rate, heard := p.speed(at); heard {
		subjects.AddRate(&line.Reads, rate)
	}
}

// addOpenJobs adds the open jobs.
func (p *queuePage) addOpenJobs() bool {
	before := p.state.LiveJobs().Before(func(j *ledger.Job) bool { return j.Seq >= p.from.Job })
	for j := range p.state.LiveJobs().From(before) {
		if p.full() {
			p.next = subjects.QueuesFrom{Job: j.Seq}
			return false
		}
		p.looks++
		p.addJob(j)
	}
	p.next = subjects.QueuesFrom{}
	return true
}

// addJob adds an open job to the line of its queue.
func (p *queuePage) addJob(j *ledger.Job) {
	line := p.line(j.Shape.Share())
	line.Jobs++
	read := 0.0
	for _, st := range j.Stages {
		read += float64(st.Done) * float64(st.Bytes)
	}
	if j.Admitted != 0 && read > 0 && p.now > j.Admitted {
		subjects.AddRate(&line.Since, read/(float64(p.now-j.Admitted)/1e9))
	}
}
