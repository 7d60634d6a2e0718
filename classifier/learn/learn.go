package learn

import (
	"time"

	"lull/classifier/series"
	"lull/classifier/spectrum"
	"lull/subjects/profile"
)

// Options say how profiles are made.
type Options struct {
	// Max takes the greatest sample as the peak, as the paper does, in place of the 99.5th
	// percentile.
	Max bool
}

// Learned is what a series shows.
type Learned struct {
	Profile profile.Profile
	Shape   spectrum.Shape
}

// Learner makes profiles. It keeps memory between tenants, so one learner serves one
// goroutine.
type Learner struct {
	options  Options
	analyser *spectrum.Analyser
	hours    series.Hours
	counts   sampleCounts
	median   weightedMedian
}

// New returns a Learner.
func New(o Options) *Learner {
	return &Learner{options: o, analyser: spectrum.NewAnalyser()}
}

// leastObserved is the observation below which a tenant counts as unknown.
const leastObserved = 2 * series.Day

// Learn makes the profile of a window of whole days, as series.Window gives it. last is the
// tenant's profile so far, nil for none: its pattern stays unless the series is clearly past the
// bound.
func (l *Learner) Learn(s *series.Series, last *profile.Profile) Learned {
	s.HoursInto(&l.hours)
	out := Learned{Shape: l.analyser.Shape(&l.hours)}
	p := &out.Profile
	p.From, p.Until = s.Start.Unix(), s.End().Unix()
	if length := s.End().Sub(s.Start); length > 0 {
		p.Observed = float64(s.Observed()) / float64(length)
	}
	if s.Observed() < leastObserved {
		p.Peak = 1
		p.Average = l.counts.average(s)
		return out
	}
	p.Pattern, p.Confidence = judge(out.Shape, last)
	rows := l.rows()
	l.counts.take(s, rows)
	p.Average, p.Peak = l.counts.mean, l.counts.peak(l.options.Max)
	p.Hours = l.expected(rows)
	p.Quantiles = l.counts.quantiles(rows.count())
	l.setMisses(p, rows)
	pastDays(p, s)
	return out
}

// judge returns the pattern and its confidence. Near a bound it keeps the pattern of the last profile,
// if that was of two days or more.
func judge(shape spectrum.Shape, last *profile.Profile) (profile.Pattern, float64) {
	if last == nil || len(last.Hours) == 0 {
		return spectrum.Judge(shape)
	}
	return spectrum.JudgeAgain(shape, last.Pattern)
}

// rows says in which row of a profile an hour of the window stands.
type rows struct {
	first   time.Weekday
	weekend bool
}

func (r rows) count() int {
	if r.weekend {
		return 48
	}
	return 24
}

// of is the row of the hour that is so many after the window's start, which is midnight.
func (r rows) of(hour int) int {
	if r.weekend && r.isWeekend(hour/24) {
		return 24 + hour%24
	}
	return hour % 24
}

// isWeekend reports whether a day of the window is a Saturday or Sunday.
func (r rows) isWeekend(day int) bool {
	weekday := (int(r.first) + day) % 7
	return weekday == int(time.Saturday) || weekday == int(time.Sunday)
}
