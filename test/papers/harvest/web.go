package harvest

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"lull/classifier/series"
	"lull/subjects/profile"
	"lull/test/public"
)

// webMinute is the time between two counts of the web site's requests.
const webMinute = time.Minute

// readWeb makes twenty tenants of a web site whose requests were counted each minute of every second week. A tenant is
// the site some hours earlier or later. A server at the greatest count of all weeks would use all its cores. The
// weeks stand one after the other; the last three are to come.
func readWeb() ([]tenant, error) {
	weeks := map[int][]float32{}
	most := float32(0)
	err := public.Rows("web_worldcup98_requests_per_min.csv.gz", func(f []string) error {
		week, count := int(public.Number(f[0])), float32(public.Number(f[2]))
		weeks[week] = append(weeks[week], count)
		most = max(most, count)
		return nil
	})
	if err != nil {
		return nil, err
	}
	const minutes = 7 * 24 * 60
	var all []float32
	for week := range slices.Max(slices.Collect(maps.Keys(weeks))) + 1 {
		for i, count := range weeks[week] {
			if i < minutes {
				all = append(all, count/most)
			}
		}
	}
	cut := max(len(all)/minutes-3, 1) * minutes
	if len(all) < 3*minutes {
		return nil, fmt.Errorf("the web site's counts are of %d minutes: three weeks are needed", len(all))
	}
	var tenants []tenant
	for i := range 20 {
		hours := i * 24 / 20
		moved := append(slices.Clone(all[hours*60:]), all[:hours*60]...)
		begin := public.Begin.AddDate(0, 1, 0)
		past := &series.Series{Start: begin.Add(-time.Duration(cut) * webMinute), Step: webMinute, Mean: moved[:cut]}
		next := &series.Series{Start: begin, Step: webMinute, Mean: moved[cut:]}
		bridge(next)
		tenants = append(tenants, tenant{name: fmt.Sprintf("web-%02d", i), past: past, future: next, pattern: profile.Periodic, hasPattern: true})
	}
	return tenants, nil
}
