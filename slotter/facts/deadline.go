package facts

import (
	"math"
)

// Caution is the least factor by which tasks count as slower than predicted when a deadline is
// at stake. A model's own ninetieth percentile (subjects.Fitted.Slow) counts where it is more.
const Caution = 1.1

// TimeLeft is the seconds within which what the job has to do now must be done.
func (j *Job) TimeLeft(now int64) float64 {
	return max(float64(max(j.Due-now, 0))/1e9-j.later, 0)
}

// OnTrack reports whether the job's slots complete what it has to do now in
// time, by equation 3.
func (j *Job) OnTrack(now int64) bool { return j.Completes(j.TimeLeft(now), 1) }

// Completes reports whether the job's slots, those just planned included, complete what it has to
// do now within so many seconds, if tasks take slow times as long as predicted.
func (j *Job) Completes(seconds, slow float64) bool {
	return seconds*float64(j.Rate+j.Planned) >= slow*float64(j.Remaining)*RateUnit
}

// MaxSlack bounds times that are written to the log, in seconds: 30 years. A job that
// hardly moves would have longer ones.
const MaxSlack = 1e9

// Slack is the seconds between the job's deadline and its end at the rate of
// the slots it has; 0 for a job without deadline.
func (j *Job) Slack(now int64) float64 {
	rate := float64(j.Rate + j.Planned)
	if j.Due == Never || rate <= 0 {
		return 0
	}
	left := float64(j.Due-now)/1e9 - j.later
	slack := max(left-float64(j.Remaining)*RateUnit/rate, -MaxSlack)
	return math.Round(slack*1e3)/1e3 + 0 // no -0
}

// OnTrackWithout reports whether the job is in time without attempts of that rate.
func (j *Job) OnTrackWithout(now int64, lost Rate) bool {
	if j.Due == Never || j.Due <= now {
		return true
	}
	return j.TimeLeft(now)*float64(j.Rate-lost) >= Caution*float64(j.Remaining)*RateUnit
}

// TooLate reports whether no task that begins now ends before the deadline.
func (w *Work) TooLate(now int64) bool { return w.Job.TimeLeft(now) <= w.Curve.Seconds(1) }

// Risk returns by how many seconds the job's predicted end passes its deadline. A job without a
// slot is predicted as if it had an average one.
func (w *Work) Risk(now int64) float64 {
	seconds := w.Group.Worth.Average
	if rate := w.Job.Rate + w.Job.Planned; rate > 0 {
		seconds = RateUnit / float64(rate)
	}
	late := w.Slow()*float64(w.Job.Remaining)*seconds - (float64(w.Job.Due-now)/1e9 - w.Job.later)
	return math.Round(min(late, MaxSlack)*1e3)/1e3 + 0
}

// Slow is the factor by which tasks are taken to need longer than predicted.
func (w *Work) Slow() float64 { return max(w.Job.Stages[w.Stage].Slow, Caution) }

// MissingSlots is how many average slots the job needs beside those it has.
func (w *Work) MissingSlots(now int64) int {
	left := max(w.Job.TimeLeft(now), 1e-3)
	need := w.Slow()*float64(w.Job.Remaining)*RateUnit/left - float64(w.Job.Rate+w.Job.Planned)
	slots := math.Ceil(need / RateUnit * w.Group.Worth.Average)
	return int(min(max(slots, 1), float64(w.Usable())))
}
