package classify

import (
	"context"
	"math"
	"time"

	"lull/classifier/learn"
	"lull/classifier/series"
	"lull/subjects/profile"
	"lull/test/report"
)

// patternBounds are the bounds of a row by the reference's class.
type patternBounds []struct {
	class string
	bound float64
}

// forecastErrors sums the absolute errors of hourly means up.
type forecastErrors struct {
	machines, hours           int
	ours, frozen, rival, mean float64
}

// forecasts compares what a profile of the days before expects of the next day's hours with
// what yesterday's same hours say.
func forecasts(ctx context.Context, m *monthly, quick bool, r *report.Report) error {
	sums := map[string]*forecastErrors{}
	for i, p := range m.pairs() {
		if quick && i%8 != 0 {
			continue
		}
		if sums[p.class] == nil {
			sums[p.class] = new(forecastErrors)
		}
		sums[p.class].days(m.learn, p)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	for _, b := range (patternBounds{{"periodic", 0.85}, {"constant", 1}, {"unpredictable", 0.9}}) {
		e := sums[b.class]
		if e == nil {
			continue
		}
		r.Rows = append(r.Rows, report.Row{
			{Key: "next_day", Value: b.class}, {Key: "machines", Value: e.machines}, {Key: "hours", Value: e.hours},
			{Key: "error_points", Value: 100 * e.ours / float64(e.hours)}, {Key: "yesterday_points", Value: 100 * e.rival / float64(e.hours)},
			{Key: "month_old_points", Value: 100 * e.frozen / float64(e.hours)}, {Key: "mean_points", Value: 100 * e.mean / float64(e.hours)},
			{Key: "ratio", Value: e.ours / e.rival},
		})
		r.Checks = append(r.Checks, report.AtMost("error of the next day's hours over yesterday's, "+b.class, e.ours/e.rival, b.bound))
	}
	return nil
}

// days scores each day of the second month but the first, for which the rival has no forecast where
// months do not follow each other.
func (e *forecastErrors) days(l *learn.Learner, p pair) {
	all, scored := p.joined()
	hours := all.Hours()
	e.machines++
	old := l.Learn(all.Between(scored.Add(-series.Days*series.Day), scored), nil).Profile
	for day := scored.Add(series.Day); day.Before(all.End()); day = day.Add(series.Day) {
		from := day.Add(-series.Days * series.Day)
		now := l.Learn(all.Between(from, day), nil).Profile
		first := int(day.Sub(all.Start) / time.Hour)
		e.hoursOf(&now, &old, hours.Mean, first, day)
	}
}

func (e *forecastErrors) hoursOf(now, old *profile.Profile, mean []float64, first int, day time.Time) {
	before := mean[first-6 : first]
	off, oldOff := now.Deviation(day, before), old.Deviation(day, before)
	flat := 0.0
	for _, v := range mean[max(first-24*series.Days, 0):first] {
		if !math.IsNaN(v) {
			flat += v / 24 / series.Days
		}
	}
	for h := range 24 {
		observed, rival := mean[first+h], mean[first+h-24]
		if math.IsNaN(observed) || math.IsNaN(rival) {
			continue
		}
		at := day.Add(time.Duration(h) * time.Hour)
		e.hours++
		e.ours += math.Abs(now.Ahead(at, at.Sub(day), off) - observed)
		e.frozen += math.Abs(old.Ahead(at, at.Sub(day), oldOff) - observed)
		e.rival += math.Abs(rival - observed)
		e.mean += math.Abs(flat - observed)
	}
}
