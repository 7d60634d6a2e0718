package slotter

import (
	"math"
)

// caution is the least factor by which tasks count as slower than predicted when a deadline is
// at stake. A model's own ninetieth percentile (subjects.Fitted.Slow) counts where it is more.
const caution = 1.1

// left is the seconds within which what the job has to do now must be done.
func (j *job) left(now int64) float64 {
	return max(float64(max(j.due-now, 0))/1e9-j.later, 0)
}

// onTrack reports whether the job's slots complete what it has to do now in
// time, by equation 3.
func (j *job) onTrack(now int64) bool { return j.completes(j.left(now), 1) }

// completes reports whether the job's slots, those just planned included, complete what it has to
// do now within so many seconds, if tasks take slow times as long as predicted.
func (j *job) completes(seconds, slow float64) bool {
	return seconds*float64(j.rate+j.planned) >= slow*float64(j.remaining)*rateUnit
}

// maxSlack bounds times that are written to the log, in seconds: 30 years. A job that
// hardly moves would have longer ones.
const maxSlack = 1e9

// slack is the seconds between the job's deadline and its end at the rate of
// the slots it has; 0 for a job without deadline.
func (j *job) slack(now int64) float64 {
	rate := float64(j.rate + j.planned)
	if j.due == never || rate <= 0 {
		return 0
	}
	left := float64(j.due-now)/1e9 - j.later
	slack := max(left-float64(j.remaining)*rateUnit/rate, -maxSlack)
	return math.Round(slack*1e3)/1e3 + 0 // no -0
}

// spares reports whether the job is in time without attempts of that rate.
func (j *job) spares(now int64, lost rate) bool {
	if j.due == never || j.due <= now {
		return true
	}
	return j.left(now)*float64(j.rate-lost) >= caution*float64(j.remaining)*rateUnit
}

// lost reports whether no task that begins now ends before the deadline.
func (w *work) lost(now int64) bool { return w.job.left(now) <= w.curve.Seconds(1) }

// risk returns by how many seconds the job's predicted end passes its deadline. A job without a
// slot is predicted as if it had an average one.
func (w *work) risk(now int64) float64 {
	seconds := w.group.worth.Average
	if rate := w.job.rate + w.job.planned; rate > 0 {
		seconds = rateUnit / float64(rate)
	}
	late := w.slow()*float64(w.job.remaining)*seconds - (float64(w.job.due-now)/1e9 - w.job.later)
	return math.Round(min(late, maxSlack)*1e3)/1e3 + 0
}

// slow is the factor by which tasks are taken to need longer than predicted.
func (w *work) slow() float64 { return max(w.job.stages[w.stage].slow, caution) }

// shortOf is how many average slots the job needs beside those it has.
func (w *work) shortOf(now int64) int {
	left := max(w.job.left(now), 1e-3)
	need := w.slow()*float64(w.job.remaining)*rateUnit/left - float64(w.job.rate+w.job.planned)
	slots := math.Ceil(need / rateUnit * w.group.worth.Average)
	return int(min(max(slots, 1), float64(w.life.Waiting())))
}
