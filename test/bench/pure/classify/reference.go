package classify

import "lull/test/public"

// reference is what stats_utilization says of a series.
type reference struct {
	class              string
	days, swing, daily float64
}

// clear reports whether the reference class stands far from its bounds.
func (r reference) clear() bool {
	still := r.swing <= 4
	return still || r.swing >= 6 && (r.daily <= 0.3 || r.daily >= 0.5)
}

// references reads the reference classes by set and series.
func references() (map[string]map[string]reference, error) {
	all := map[string]map[string]reference{}
	err := public.Rows("stats_utilization.csv.gz", func(f []string) error {
		r := reference{class: f[17], days: public.Number(f[4]), swing: public.Number(f[11]), daily: public.Number(f[13])}
		if all[f[0]] == nil {
			all[f[0]] = map[string]reference{}
		}
		all[f[0]][f[2]] = r
		return nil
	})
	return all, err
}
