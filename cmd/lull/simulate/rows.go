package simulate

import (
	"fmt"
	"strconv"

	"lull/subjects/humane"
)

// Row is a policy in lull sim --output json: the means of its figures over the seeds, and with more
// than one seed those of each.
type Row struct {
	Policy string `json:"policy"`
	Seeds  int    `json:"seeds"`
	Figures
	// For says why jobs were rejected: how many for each code.
	For  map[string]float64 `json:"rejected_for,omitempty"`
	Each []Seeded           `json:"each,omitempty"`
	// Rejections are the rejected jobs of all seeds. Wrongly is how many of them would have
	// been in time without admission, and Spared how many other jobs would have been late.
	Rejections []Rejection `json:"rejections,omitempty"`
	Wrongly    int         `json:"rejected_in_time_without_admission"`
	Spared     int         `json:"others_late_without_admission"`
}

// Seeded are the figures of one seed.
type Seeded struct {
	Seed uint64 `json:"seed"`
	*Figures
}

// Rows sums up the runs that ended, by policy, in the order in which policies began.
func Rows(runs []*Run) (rows []Row) {
	at := map[string]int{}
	for _, r := range runs {
		if r.Figures == nil {
			continue
		}
		i, known := at[r.Policy]
		if !known {
			i = len(rows)
			at[r.Policy], rows = i, append(rows, Row{Policy: r.Policy})
		}
		rows[i].addReasons(r.reasons)
		rows[i].addRefused(r.Refused)
		rows[i].Each = append(rows[i].Each, Seeded{r.Seed, r.Figures})
	}
	for i := range rows {
		rows[i].average()
	}
	return rows
}

// average sets the means over the seeds.
func (r *Row) average() {
	all := make([]*Figures, len(r.Each))
	for i := range r.Each {
		all[i] = r.Each[i].Figures
	}
	r.Figures, r.Seeds = average(all), len(all)
	for code := range r.For {
		r.For[code] /= float64(r.Seeds)
	}
	if r.Seeds == 1 {
		r.Each = nil
	}
}

// addReasons adds why a seed rejected jobs.
func (r *Row) addReasons(reasons map[string]int) {
	if r.For == nil {
		r.For = map[string]float64{}
	}
	for code, n := range reasons {
		r.For[code] += float64(n)
	}
}

// Header and Cells are the table for people.
var Header = []string{"POLICY", "MET", "MISSED", "REJECTED", "HARVESTED", "OF IDLE", "EVICTED", "WAIT P50", "WAIT P95", "LATE", "TASK TIME", "LOST"}

// Cells are the row's columns under Header.
func (r Row) Cells() []string {
	return []string{
		r.Policy, number(r.Met), number(r.Missed), number(r.Rejected),
		hours(r.Harvested) + " core-h", fmt.Sprintf("%.1f %%", 100*r.Share), number(r.Evictions),
		humane.Seconds(r.WaitP50), humane.Seconds(r.WaitP95), humane.Seconds(r.LateMean),
		hours(r.TaskHours) + " h", hours(r.LostHours) + " h",
	}
}

// hours writes a number of hours, below ten with two significant digits.
func hours(v float64) string {
	if v < 10 {
		return strconv.FormatFloat(v, 'g', 2, 64)
	}
	return strconv.FormatFloat(v, 'f', 1, 64)
}

// number writes a count, or the mean of several to a tenth.
func number(v float64) string {
	if v == float64(int64(v)) {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'f', 1, 64)
}
