package classify

import (
	"context"
	"fmt"
	"lull/test/public"
	"maps"
	"slices"
	"strings"

	"lull/subjects/profile"
	"lull/test/report"
)

// agreement holds our patterns against the reference classes of all sets of a week or more.
func agreement(ctx context.Context, m *monthly, _ bool, r *report.Report) error {
	plain, same, all, allSame := 0, 0, 0, 0
	var others []string
	for _, set := range slices.Concat(months[:], otherSets[:]) {
		used, err := public.Usage(set, public.Begin)
		if err != nil {
			return err
		}
		for _, id := range slices.Sorted(maps.Keys(used)) {
			ref, known := m.refs[set][id]
			if !known || ref.days < 7 {
				continue
			}
			pattern := m.window(used[id], nil).Profile.Pattern.String()
			agrees := pattern == ref.class
			all, allSame = all+1, allSame+one(agrees)
			if ref.clear() {
				plain, same = plain+1, same+one(agrees)
			}
			if !agrees {
				others = append(others, fmt.Sprintf("%s/%s (%s, ours %s)", set, id, ref.class, pattern))
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	r.Rows = append(r.Rows,
		report.Row{{Key: "patterns", Value: "clear cases"}, {Key: "series", Value: plain}, {Key: "agree", Value: same}, {Key: "share", Value: ratio(same, plain)}},
		report.Row{{Key: "patterns", Value: "all"}, {Key: "series", Value: all}, {Key: "agree", Value: allSame}, {Key: "share", Value: ratio(allSame, all)}},
	)
	r.Notes = append(r.Notes, "Patterns that differ from the reference: "+strings.Join(others, ", ")+".")
	r.Checks = append(r.Checks, report.AtLeast("share of clear cases with the reference's pattern", ratio(same, plain), 0.95))
	return nil
}

// stability counts the machines that keep their pattern from one month to the next.
func stability(_ context.Context, m *monthly, _ bool, r *report.Report) error {
	last := map[string]profile.Profile{}
	for month, used := range m.used {
		now := map[string]profile.Profile{}
		var both, kept, alone, refKept int
		for _, id := range slices.Sorted(maps.Keys(used)) {
			before, known := last[id]
			fresh := m.window(used[id], nil).Profile
			if !known {
				now[id] = fresh
				continue
			}
			now[id] = m.window(used[id], &before).Profile
			both++
			kept += one(now[id].Pattern == before.Pattern)
			alone += one(fresh.Pattern == m.window(m.used[month-1][id], nil).Profile.Pattern)
			refKept += one(m.refs[months[month]][id].class == m.refs[months[month-1]][id].class)
		}
		last = now
		if month == 0 {
			continue
		}
		r.Rows = append(r.Rows, report.Row{
			{Key: "same_pattern_in", Value: strings.TrimPrefix(months[month], "bitbrains_rnd_")}, {Key: "machines", Value: both},
			{Key: "ours", Value: kept}, {Key: "each_month_alone", Value: alone}, {Key: "reference", Value: refKept},
		})
		r.Checks = append(r.Checks, report.AtLeast("same pattern in "+months[month], float64(kept), float64(refKept)))
	}
	return nil
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func ratio(part, of int) float64 { return float64(part) / float64(max(of, 1)) }
