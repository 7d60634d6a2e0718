package harvest

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"lull/classifier/learn"
	"lull/classifier/series"
	"lull/sim"
	"lull/subjects/profile"
	"lull/test/public"
)

// tenant is a machine of the public trace, whose usage all servers of a tenant share. Values are
// shares of the machine's cores.
type tenant struct {
	name         string
	past, future *series.Series  // the month that is learnt, and the next
	pattern      profile.Pattern // from the reference
	hasPattern   bool            // it has one
}

// least is the mean share below which a machine's usage is not scaled up: there is little shape in
// the rounding of a machine at rest.
const least = 0.02

// readTenants reads the machines that have two months in a row, by name.
func readTenants(f files) ([]tenant, error) {
	past, err := public.UsageFile(f.history, public.Begin, false)
	if err != nil {
		return nil, err
	}
	future, err := public.UsageFile(f.usage, public.Begin.AddDate(0, 1, 0), false)
	if err != nil {
		return nil, err
	}
	var all []tenant
	for _, id := range slices.Sorted(maps.Keys(past)) {
		if next := future[id]; next != nil && mean(past[id], same) >= least {
			bridge(next)
			all = append(all, tenant{name: id, past: past[id], future: next})
		}
	}
	if f.reference == "" {
		return all, nil
	}
	return all, readReference(f.reference, all)
}

// readReference reads the patterns of tenants from another source. Tenants that are not in it have the pattern
// that the classifier finds.
func readReference(file string, all []tenant) error {
	found := map[string]profile.Pattern{}
	err := public.Rows(file, func(f []string) error {
		for _, p := range profile.Patterns() {
			if p.String() == f[17] {
				found[f[2]] = p
			}
		}
		return nil
	})
	for i := range all {
		all[i].pattern, all[i].hasPattern = found[all[i].name]
	}
	return err
}

// known returns what a classifier has seen of the tenant when a run begins, which is at from in the future
// month. The run's clock shows sim.Begin then: both are Thursdays.
func (t *tenant) known(from time.Duration) *series.Series {
	begin := t.future.Start
	all := series.Series{Start: t.past.Start.Add(sim.Begin.Sub(begin.Add(from))), Step: t.past.Step}
	all.Mean = append(all.Mean, t.past.Mean[:min(len(t.past.Mean), int(begin.Sub(t.past.Start)/all.Step))]...)
	for len(all.Mean) < int(begin.Sub(t.past.Start)/all.Step) {
		all.Mean = append(all.Mean, float32(math.NaN())) // the data set lacks a day
	}
	all.Mean = append(all.Mean, t.future.Mean[:int(from/all.Step)]...)
	return &all
}

// bridge fills the gaps of the future month with the value before, because a server always uses something.
func bridge(s *series.Series) {
	last := float32(0)
	for i, v := range s.Mean {
		if math.IsNaN(float64(v)) {
			s.Mean[i] = last
		}
		last = s.Mean[i]
	}
}

// scaling converts a share of the cores to another level of use.
type scaling func(u float64) float64

func same(u float64) float64 { return u }

// linear multiplies, up to all cores.
func linear(f float64) scaling { return func(u float64) float64 { return min(1, f*u) } }

// root takes the n-th root.
func root(n float64) scaling { return func(u float64) float64 { return math.Pow(u, 1/n) } }

// scaled is a series at another level.
func scaled(s *series.Series, by scaling) *series.Series {
	t := *s
	t.Mean, t.Peak = make([]float32, len(s.Mean)), nil
	for i, v := range s.Mean {
		t.Mean[i] = float32(by(float64(v))) // a gap stays one
	}
	return &t
}

func mean(s *series.Series, by scaling) float64 {
	sum, n := 0.0, 0.0
	for _, v := range s.Mean {
		if !math.IsNaN(float64(v)) {
			sum, n = sum+by(float64(v)), n+1
		}
	}
	return sum / max(n, 1)
}

// patterns returns the tenants by the pattern that the classifier finds in the past month at a level.
func patterns(all []tenant, by scaling) map[profile.Pattern][]int {
	found, learner := map[profile.Pattern][]int{}, learn.New(learn.Options{})
	for i := range all {
		p := all[i].pattern
		if !all[i].hasPattern {
			p = learner.Learn(window(scaled(all[i].past, by)), nil).Profile.Pattern
		}
		found[p] = append(found[p], i)
	}
	return found
}

// window is what a classifier would learn at the end of a series.
func window(s *series.Series) *series.Series {
	start, until := series.Window(s.Start, s.End().Truncate(24*time.Hour))
	return s.Between(start, until)
}

// drawSome draws n of a list, some twice when there are fewer.
func drawSome(list []int, n int, rng *rand.Rand) (drawn []int) {
	for len(list) > 0 && len(drawn) < n {
		for _, i := range rng.Perm(len(list))[:min(len(list), n-len(drawn))] {
			drawn = append(drawn, list[i])
		}
	}
	return drawn
}
