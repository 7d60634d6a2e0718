package agent

import (
	"fmt"

	"lull/test/report"
	"lull/test/stat"
)

// table shows the medians of the rounds.
func (c *costing) table(found map[string][]expense) *report.Report {
	r := &report.Report{}
	for _, row := range costRows {
		r.Rows = append(r.Rows, agentRow(row, found[row]))
	}
	for _, row := range costRows[1:] {
		r.Rows = append(r.Rows, shimsRow(row, found[row]))
	}
	r.Checks = []report.Check{
		report.AtMost("agent at rest, % of a core", percentOf(found[resting]), mostRest),
		report.AtMost(fmt.Sprintf("agent with %d tasks, %% of a core", c.tasks), percentOf(found[working]), mostBusy),
		report.AtMost("the same beside a primary, % of a core", percentOf(found[besides]), mostBusy),
		report.AtMost("agent with tasks, bytes resident", middleOf(found[besides], func(e expense) float64 { return e.resident }), mostBytes),
	}
	spreading := percentOf(found[besides]) - percentOf(found[unspread])
	r.Notes = append(r.Notes,
		fmt.Sprintf("Medians of %d rounds of %.3g s; %d tasks that compute, telemetry once a second.", c.rounds, c.seconds, c.tasks),
		fmt.Sprintf("Spreading the primary's waiting threads costs %.2f %% of a core of it.", spreading),
		"others: who is neither the agent, nor its tasks, nor the primary; server, admission and slotter are among them.")
	return r
}

func agentRow(row string, e []expense) report.Row {
	return report.Row{
		{Key: "agent", Value: row}, {Key: "cpu_percent_of_a_core", Value: percentOf(e)},
		{Key: "least", Value: 100 * least(e)}, {Key: "most", Value: 100 * most(e)},
		{Key: "resident_MB", Value: middleOf(e, func(e expense) float64 { return e.resident }) / 1e6},
		{Key: "primary_cores", Value: middleOf(e, func(e expense) float64 { return e.primary })},
		{Key: "others_cores", Value: middleOf(e, func(e expense) float64 { return e.others })},
		{Key: "stolen_percent", Value: 100 * middleOf(e, func(e expense) float64 { return e.stolen })},
	}
}

func shimsRow(row string, e []expense) report.Row {
	return report.Row{
		{Key: "shims", Value: row}, {Key: "count", Value: middleOf(e, func(e expense) float64 { return float64(e.count) })},
		{Key: "cpu_percent_of_a_core", Value: 100 * middleOf(e, func(e expense) float64 { return e.shims })},
		{Key: "MB_each_less_shared", Value: middleOf(e, func(e expense) float64 { return e.each }) / 1e6},
	}
}

func percentOf(e []expense) float64 {
	return 100 * middleOf(e, func(e expense) float64 { return e.agent })
}

func middleOf(all []expense, of func(expense) float64) float64 {
	values := make([]float64, len(all))
	for i, e := range all {
		values[i] = of(e)
	}
	return stat.Median(values)
}

func least(all []expense) float64 {
	found := all[0].agent
	for _, e := range all {
		found = min(found, e.agent)
	}
	return found
}

func most(all []expense) (found float64) {
	for _, e := range all {
		found = max(found, e.agent)
	}
	return found
}
