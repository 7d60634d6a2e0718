package classify

import (
	"lull/test/public"
	"maps"
	"math"
	"slices"
	"time"

	"lull/classifier/learn"
	"lull/classifier/series"
	"lull/subjects/profile"
)

// monthly is the public series that several rows share.
type monthly struct {
	refs  map[string]map[string]reference
	used  [len(months)]map[string]*series.Series
	learn *learn.Learner
}

func readMonths() (*monthly, error) {
	m := &monthly{learn: learn.New(learn.Options{})}
	var err error
	if m.refs, err = references(); err != nil {
		return nil, err
	}
	for i, set := range months {
		begin := public.Begin.AddDate(0, i, 0)
		if m.used[i], err = public.Usage(set, begin); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// window learns from the last whole days of a series.
func (m *monthly) window(s *series.Series, last *profile.Profile) learn.Learned {
	start, until := series.Window(s.Start, s.End())
	return m.learn.Learn(s.Between(start, until), last)
}

// pair is a machine in a month that was learnt and in the next, which is scored.
type pair struct {
	id, class   string // class: the reference's, of the month that was learnt
	month       int    // the one that was learnt
	known, next *series.Series
}

// pairs are the machines that two months in a row have, in order.
func (m *monthly) pairs() (all []pair) {
	for month := range len(months) - 1 {
		for _, id := range slices.Sorted(maps.Keys(m.used[month])) {
			ref, known := m.refs[months[month]][id]
			next := m.used[month+1][id]
			if known && next != nil {
				all = append(all, pair{id, ref.class, month, m.used[month][id], next})
			}
		}
	}
	return all
}

// joined is the two months of a pair as one series of whole days. Days of the first month
// that the data set lacks are gaps, so that days of the week stay what they are.
func (p pair) joined() (all *series.Series, scored time.Time) {
	perDay := int(series.Day / p.known.Step)
	scored = p.next.Start
	all = &series.Series{Start: p.known.Start, Step: p.known.Step}
	all.Mean = append(all.Mean, p.known.Mean[:len(p.known.Mean)/perDay*perDay]...)
	for all.End().Before(scored) {
		all.Mean = append(all.Mean, float32(math.NaN()))
	}
	all.Mean = append(all.Mean, p.next.Mean[:len(p.next.Mean)/perDay*perDay]...)
	return all, scored
}
