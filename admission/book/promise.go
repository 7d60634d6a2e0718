// Package book keeps what was promised to live jobs. From which promises were kept and which broken it
// learns the margin: by how much predictions have to be lengthened. All of it follows from the log alone.
package book

import (
	"lull/admission/span"
	"lull/admission/variance"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Promise is what was predicted for a live job, and what has happened to the job since.
type Promise struct {
	Job         string  `msgpack:"job"`
	At          int64   `msgpack:"at"`      // when the job was admitted, Unix nanoseconds
	Finish      int64   `msgpack:"finish"`  // predicted then, Unix nanoseconds; 0 for never
	Service     float64 `msgpack:"service"` // predicted then: the sum of the tasks' seconds, 0 if it would be a guess
	Used        float64 `msgpack:"used"`    // seconds that its tasks took
	Pushed      float64 `msgpack:"pushed"`  // seconds by which more urgent jobs, admitted later, delayed it
	Urgent      int     `msgpack:"urgent"`  // number of those jobs
	Lost        int     `msgpack:"lost"`    // Book.Lost when the job was admitted
	LargeLosses int     `msgpack:"blows"`   // Book.LargeLosses when the job was admitted
	// Excused says that tasks of the job were stopped by an operator, or lost with their host. Its
	// times then say nothing about predictions.
	Excused bool `msgpack:"excused"`
}

// Book keeps the promises. LargeLosses and Lost count events of the whole pool. A promise remembers the
// counts at its admission, so the difference is what happened since.
type Book struct {
	Promises map[string]*Promise
	// LargeLosses counts the pauses, drains and losses that took a tenth of the pool's
	// slots or more.
	LargeLosses int
	// Lost counts hosts that were lost or left.
	Lost int
	Calibration
}

// admit opens a promise, and notes which jobs it pushes.
// Nothing was promised to a job without a deadline.
func (b *Book) admit(j *ledger.Job, e *subjects.Admitted, at int64) {
	if j.Deadline != 0 && !e.Late {
		b.Promises[e.Job] = &Promise{
			Job: e.Job, At: at, Finish: e.Finish, Service: e.Service, Lost: b.Lost, LargeLosses: b.LargeLosses,
		}
	}
	for _, push := range e.Pushed {
		if p := b.Promises[push.Job]; p != nil {
			p.Pushed = span.Round(p.Pushed+push.By, 1e3)
			p.Urgent++
		}
	}
}

// use adds the time that a completed or evicted attempt took. Callers leave out failed attempts, which
// are the job's own fault, and revoked ones, which were rivals or no longer wanted. No prediction
// includes those.
func (b *Book) use(job string, seconds float64) {
	if p := b.Promises[job]; p != nil {
		p.Used = span.Round(p.Used+seconds, 1e3)
	}
}

// excuse marks a promise from which nothing is to be learnt.
func (b *Book) excuse(job string) {
	if p := b.Promises[job]; p != nil {
		p.Excused = true
	}
}

// noteSlotsGone notes that a host's slots are gone, and excuses the jobs that ran there. lost tells a loss or a
// leave from an operator's pause or drain.
func (b *Book) noteSlotsGone(s *ledger.State, host *ledger.Host, lost bool) {
	if lost {
		b.Lost++
	}
	slots := 0
	for _, h := range s.Hosts() {
		if h.Open() || h == host {
			slots += int(h.Joined.Slots)
		}
	}
	if 10*int(host.Joined.Slots) >= slots {
		b.LargeLosses++
	}
	for _, at := range host.Attempts() {
		b.excuse(at.Job.ID)
	}
}

// compareFinished compares a finished job with its promise. Cancelled and failed jobs
// teach nothing: when they would have ended is unknown.
func (b *Book) compareFinished(s *ledger.State, j *ledger.Job) {
	if j == nil {
		return
	}
	p := b.Promises[j.ID]
	delete(b.Promises, j.ID)
	if p == nil || p.Excused || p.LargeLosses != b.LargeLosses || j.Deadline == 0 || p.Service <= 0 {
		return
	}
	if took, predicted := j.Ended-p.At, p.Finish-p.At; predicted > 0 {
		b.Finish.add(float64(took) / float64(predicted))
	}
	b.learn(outcome{service: p.Used / p.Service / variance.Ninetieth(s, j), over: over(j, p), made: p.At, ended: j.Ended})
}

// over returns the time that the job took, divided by the time until its deadline. Above 1, its
// promise was broken.
func over(j *ledger.Job, p *Promise) float64 {
	given := j.Deadline - p.At
	if given <= 0 {
		return 0 // nothing was promised: mode "all" takes what is late already
	}
	return float64(j.Ended-p.At) / float64(given)
}
