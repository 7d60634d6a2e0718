// Package book keeps what was promised to live jobs, and learns from what became of it by how much
// predictions have to be lengthened: the margin. It follows from the log alone.
package book

import (
	"lull/admission/span"
	"lull/admission/variance"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Promise is what was predicted of a live job, and how it fares.
type Promise struct {
	Job     string  `msgpack:"job"`
	At      int64   `msgpack:"at"`      // when it was admitted
	Finish  int64   `msgpack:"finish"`  // predicted then, 0 for never
	Service float64 `msgpack:"service"` // predicted then, seconds of tasks; 0 for a guess
	Used    float64 `msgpack:"used"`    // seconds that its tasks took
	Pushed  float64 `msgpack:"pushed"`  // seconds that later jobs made it later
	Urgent  int     `msgpack:"urgent"`  // how many of them there were
	Lost    int     `msgpack:"lost"`    // hosts that were lost or left by then
	Blows   int     `msgpack:"blows"`   // see book
	// Excused says that an operator stopped tasks of it: its times say nothing
	// about predictions.
	Excused bool `msgpack:"excused"`
}

// Book keeps the promises. Blows and Lost count what was done to the pool as a
// whole, so that a promise only has to remember where they stood.
type Book struct {
	Promises map[string]*Promise
	// Blows counts operators' pauses and losses of hosts that took a tenth of
	// the pool's slots or more.
	Blows int
	// Lost counts hosts that were lost or left.
	Lost int
	Calibration
}

// admit opens a promise, and notes which jobs it pushes.
// Nothing was promised to a job without a deadline.
func (b *Book) admit(j *ledger.Job, e *subjects.Admitted, at int64) {
	if j.Deadline != 0 && !e.Late {
		b.Promises[e.Job] = &Promise{
			Job: e.Job, At: at, Finish: e.Finish, Service: e.Service, Lost: b.Lost, Blows: b.Blows,
		}
	}
	for _, push := range e.Pushed {
		if p := b.Promises[push.Job]; p != nil {
			p.Pushed = span.Round(p.Pushed+push.By, 1e3)
			p.Urgent++
		}
	}
}

// use counts what an attempt took. A failed one is the job's own fault, a
// revoked one was a rival or not wanted: neither was to be predicted.
func (b *Book) use(job string, seconds float64) {
	if p := b.Promises[job]; p != nil {
		p.Used = span.Round(p.Used+seconds, 1e3)
	}
}

// excuse takes a promise out of what is learnt from.
func (b *Book) excuse(job string) {
	if p := b.Promises[job]; p != nil {
		p.Excused = true
	}
}

// blow notes that a host's slots went, by an operator or by a loss.
func (b *Book) blow(s *ledger.State, host *ledger.Host, lost bool) {
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
		b.Blows++
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
	if p == nil || p.Excused || p.Blows != b.Blows || j.Deadline == 0 || p.Service <= 0 {
		return
	}
	if took, predicted := j.Ended-p.At, p.Finish-p.At; predicted > 0 {
		b.Finish.add(float64(took) / float64(predicted))
	}
	b.learn(outcome{service: p.Used / p.Service / variance.Ninetieth(s, j), over: over(j, p), made: p.At, ended: j.Ended})
}

// over is the time that the job took over the time it was given: above 1, its
// promise was broken.
func over(j *ledger.Job, p *Promise) float64 {
	given := j.Deadline - p.At
	if given <= 0 {
		return 0 // nothing was promised: mode "all" takes what is late already
	}
	return float64(j.Ended-p.At) / float64(given)
}
