package classify

import (
	"context"
	"fmt"
	"math"
	"time"

	"lull/classifier/series"
	"lull/subjects/profile"
	"lull/subjects/survival"
	"lull/test/report"
)

const (
	// bench tasks run on hosts of 12 cores with 4 in reserve, and hold one core: 58 % is left.
	survivalCores, survivalReserve, survivalHeld = 12, 4, 1
	// everyMinutes is the time between two starts that are scored.
	everyMinutes = 55
)

// calibration scores one way to predict survival: the Brier score, and per decile the predicted and
// the observed rate.
type calibration struct {
	brier                  float64
	predicted, observed, n [10]float64
}

func (s *calibration) score(p, stayed float64) {
	s.brier += (p - stayed) * (p - stayed)
	d := min(int(10*p), 9)
	s.predicted[d] += p
	s.observed[d] += stayed
	s.n[d]++
}

func (s *calibration) starts() (n float64) {
	for _, v := range s.n {
		n += v
	}
	return n
}

// worst is the greatest difference between the predicted and the observed rate of a decile with enough
// starts.
func (s *calibration) worst(least float64) (worst float64) {
	for d, n := range s.n {
		if n >= least {
			worst = max(worst, math.Abs(s.predicted[d]-s.observed[d])/n)
		}
	}
	return worst
}

// predictors are three predictions of the same starts: lull's, the tenant's rate of last week, and that
// at the same time of day.
type predictors struct{ ours, rate, same calibration }

// survivals compares predictions from profiles with rates of the last week.
func survivals(ctx context.Context, m *monthly, quick bool, r *report.Report) error {
	deciles := map[string]*calibration{"periodic": {}, "unpredictable": {}}
	sums := map[string]float64{}
	for _, load := range []float64{3, 4.7} {
		scores := map[string]*[2]predictors{"periodic": {}, "unpredictable": {}}
		for i, p := range m.pairs() {
			of := scores[p.class]
			if of == nil || quick && i%8 != 0 {
				continue
			}
			m.survival(p, load, of)
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		for _, class := range []string{"periodic", "unpredictable"} {
			for i, hours := range survivalHours {
				s := &scores[class][i]
				n := s.ours.starts()
				sums[class] += s.ours.brier / s.rate.brier / 4
				r.Rows = append(r.Rows, report.Row{
					{Key: "survival", Value: class}, {Key: "load", Value: load}, {Key: "hours", Value: hours}, {Key: "starts", Value: n},
					{Key: "brier", Value: s.ours.brier / n}, {Key: "rate_brier", Value: s.rate.brier / n},
					{Key: "ratio", Value: s.ours.brier / s.rate.brier}, {Key: "same_hours_ratio", Value: s.same.brier / s.rate.brier},
				})
				deciles[class].add(&s.ours)
			}
		}
	}
	all := new(calibration)
	for _, class := range []string{"periodic", "unpredictable"} {
		all.add(deciles[class])
	}
	r.Rows = append(r.Rows, all.rows()...)
	r.Checks = append(r.Checks,
		report.AtMost("Brier score of survival over that of last week's rate, periodic", sums["periodic"], 0.38),
		report.AtMost("Brier score of survival over that of last week's rate, unpredictable", sums["unpredictable"], 0.80),
		report.AtMost("predicted less observed survival, worst decile", all.worst(100), 0.04),
	)
	return nil
}

var survivalHours = [...]int{2, 8}

func (s *calibration) add(other *calibration) {
	for d := range s.n {
		s.predicted[d] += other.predicted[d]
		s.observed[d] += other.observed[d]
		s.n[d] += other.n[d]
	}
}

func (s *calibration) rows() (rows []report.Row) {
	for d, n := range s.n {
		rows = append(rows, report.Row{
			{Key: "decile", Value: fmt.Sprintf("0.%d", d)}, {Key: "starts", Value: n},
			{Key: "predicted", Value: s.predicted[d] / max(n, 1)}, {Key: "observed", Value: s.observed[d] / max(n, 1)},
		})
	}
	return rows
}

// recently is the mean of the last half hour.
func recently(values []float32) float64 {
	sum, n := 0.0, 0.0
	for _, v := range values[max(len(values)-6, 0):] {
		if !math.IsNaN(float64(v)) {
			sum += float64(v)
			n++
		}
	}
	return sum / n // the last one is known
}

// survival scores the second month of a machine under a load, with a profile that is learnt
// anew each midnight of the month before it.
func (m *monthly) survival(p pair, load float64, scores *[2]predictors) {
	all, scored := p.joined()
	for i, v := range all.Mean {
		all.Mean[i] = min(v*float32(load), 1)
	}
	room := survival.Room(survivalCores, survivalReserve, survivalHeld)
	past := newPast(all, room)
	var model *survival.Model
	var inForce *profile.Profile
	perDay := int(series.Day / all.Step)
	for at := int(scored.Sub(all.Start) / all.Step); at < len(all.Mean); at += everyMinutes / 5 {
		now := all.Start.Add(time.Duration(at) * all.Step)
		if midnight := now.Truncate(series.Day); inForce == nil || inForce.Until != midnight.Unix() {
			learnt := m.learn.Learn(all.Between(midnight.Add(-series.Days*series.Day), midnight), inForce).Profile
			inForce, model = &learnt, survival.New(&learnt, nil)
		}
		if !past.room(at) {
			continue
		}
		for i, hours := range survivalHours {
			span := hours * perDay / 24
			if at+span >= len(all.Mean) {
				continue
			}
			stayed := past.stayed(at, span)
			rate := past.rate(at, span, false)
			scores[i].ours.score(model.Survives(now, recently(all.Mean[:at+1]), room, time.Duration(hours)*time.Hour), stayed)
			scores[i].rate.score(rate, stayed)
			scores[i].same.score(past.rate(at, span, true), stayed)
		}
	}
}
