package pool

import "lull/admission/span"

// pace compares what a job completes with what its slots should complete. It
// notices tasks that are slower than their model long before a refit does, and
// before the job's end shows it. How many slots the job has does not matter:
// the slotter gives it few on purpose as long as its deadline allows.
type pace struct {
	at       int64   // of the last look, Unix nanoseconds
	expected float64 // tasks that its slots should have completed since
	done     float64 // tasks that they did complete
	counted  int     // done tasks of the job at the last look
	// Slow is the factor by which its tasks are slower than their model, 1
	// for as fast or faster.
	Slow float64
}

// Even is the pace of every job that never ran: shared, because a million may wait.
var Even = &pace{Slow: 1}

const (
	// grace is how far behind is no news: single tasks vary by as much.
	grace = 1.25
	// maxSlow bounds the factor: what hardly moves says nothing about how slow.
	maxSlow = 10
	// recent is how many expected tasks are remembered before the older half
	// is forgotten.
	recent = 32
)

// observe takes in the time since the last look, during which the tasks that
// run now completed rate tasks a second by their model.
func (p *pace) observe(now int64, rate float64, done int) {
	if p.at != 0 {
		p.expected += rate * float64(now-p.at) / 1e9
		p.done += float64(max(done-p.counted, 0))
	}
	p.at, p.counted = now, done
}

// judge compares. Tasks that run may be nearly done, so each counts as one that
// is: only what variance does not explain makes the job slow.
func (p *pace) judge(runs int) {
	had := p.done + float64(runs)
	p.Slow = 1
	if had > 0 && p.expected > grace*had+1 {
		p.Slow = min(span.Round(p.expected/had, 100), maxSlow)
	}
	if p.expected > float64(recent+4*runs) {
		p.expected /= 2
		p.done /= 2
	}
}

// rest forgets: nothing of the job runs.
func (p *pace) rest() { p.at = 0 }
