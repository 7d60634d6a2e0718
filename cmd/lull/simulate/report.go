package simulate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"lull/sim/webpage"
	"lull/subjects/humane"
)

// Report is the page of the runs that ended.
func (p *Plan) Report(runs []*Run, command string, wall time.Duration) webpage.Report {
	rows := Rows(runs)
	r := webpage.Report{
		Title: "What lull would have done",
		Lead: fmt.Sprintf("%s with %s on the idle CPU of %s over %s, under %s.",
			humane.Count(len(p.List.Jobs), "job"), humane.Count(p.List.Tasks, "task"), humane.Count(len(p.Pool.Hosts), "host"),
			humane.Span(p.span(rows)), strings.Join(p.Policies, ", ")),
		Header: pageHeader, Rows: tableRows(rows), Notes: slices.Concat(p.Notes, Refusals(rows), []string{fairness}),
		Cores: p.Cores(), Command: command, Made: p.made(rows, wall),
	}
	for _, run := range runs {
		if run.plots == nil {
			continue
		}
		i := slices.IndexFunc(rows, func(row Row) bool { return row.Policy == run.Policy })
		r.Policies = append(r.Policies, policy(&rows[i], run.plots))
		if run.plots.span > r.PrimarySpan {
			r.Primary, r.PrimarySpan = run.plots.primaries, run.plots.span
		}
	}
	return r
}

var pageHeader = []string{
	"Policy", "Deadlines met", "missed", "rejected", "CPU harvested, core-hours", "of what was idle", "Evictions",
	"Wait for the first task, median", "95th percentile", "Late ones late by", "Task time, hours", "in attempts that did not count",
}

const fairness = "Task time counts finished tasks: a policy under which more jobs are rejected or left has less of it."

func (p *Plan) span(rows []Row) time.Duration {
	longest := 0.0
	for i := range rows {
		longest = max(longest, rows[i].Span)
	}
	return time.Duration(longest * float64(time.Second))
}

func policy(row *Row, plots *plots) webpage.Policy {
	return webpage.Policy{
		Name: row.Policy, Met: row.Met, Missed: row.Missed, Rejected: row.Rejected, Free: row.Free,
		Span: plots.span, Primary: plots.primary, Harvested: plots.harvested,
		Used: plots.used, Waits: plots.waits, Hosts: plots.hosts,
	}
}

// better says of each column of the table whether more is better (1), less
// (-1), or neither.
var better = []int{0, 1, -1, 0, 0, 0, -1, -1, -1, -1, 0, -1}

func tableRows(rows []Row) (table []webpage.Row) {
	values := make([][]float64, len(rows))
	for i := range rows {
		r := &rows[i]
		values[i] = []float64{0, r.Met, r.Missed, 0, 0, 0, r.Evictions, r.WaitP50, r.WaitP95, r.LateMean, 0, r.LostHours}
	}
	for i := range rows {
		row := webpage.Row{Cells: rows[i].Cells(), Best: make([]bool, len(better))}
		row.Cells[4], row.Cells[10], row.Cells[11] = hours(rows[i].Harvested), hours(rows[i].TaskHours), hours(rows[i].LostHours)
		for c, sign := range better {
			row.Best[c] = sign != 0 && best(values, i, c, float64(sign))
		}
		table = append(table, row)
	}
	return table
}

// best says whether a row leads its column, and some other does not.
func best(values [][]float64, i, column int, sign float64) bool {
	beaten := false
	for _, other := range values {
		d := sign * (values[i][column] - other[column])
		if d < 0 {
			return false
		}
		beaten = beaten || d > 0
	}
	return beaten
}

// made says how the figures came about.
func (p *Plan) made(rows []Row, wall time.Duration) []webpage.Fact {
	pool, list := p.Pool, p.List
	seeds := fmt.Sprintf("%d", p.Seed)
	if p.Seeds > 1 {
		seeds = fmt.Sprintf("%d to %d; the table holds means, the plots show the first", p.Seed, p.Seed+uint64(p.Seeds)-1)
	}
	events := 0.0
	for i := range rows {
		events += rows[i].Events * float64(rows[i].Seeds)
	}
	return []webpage.Fact{
		{Term: "Method", Text: "lull's own admission, scheduler and host controllers, run in virtual time against these traces. Differences come from the policies alone: jobs, primaries and each task's variance are the same."},
		{Term: "Hosts", Text: fmt.Sprintf("%s: %s with %s, a sample every %s over %s", p.Hosts, humane.Count(len(pool.Hosts), "host"), humane.Count(int(p.Cores()), "core"), humane.Span(pool.Every), humane.Span(pool.Span))},
		{Term: "Jobs", Text: fmt.Sprintf("%s: %s with %s, %.1f hours of work on idle cores", p.Jobs, humane.Count(len(list.Jobs), "job"), humane.Count(list.Tasks, "task"), list.Work/3600)},
		{Term: "Task times", Text: p.truth()},
		{Term: "Seeds", Text: seeds},
		{Term: "Computed", Text: fmt.Sprintf("in %s, %s", humane.Span(wall), humane.Count(int(events), "event"))},
	}
}

func (p *Plan) truth() string {
	text := fmt.Sprintf("work is conserved: on half a core a task takes twice as long; each task's own factor is lognormal with σ = %.2g", p.Job.Noise)
	if p.Curves != "" {
		text = "measured curves of " + p.Curves + "; elsewhere " + text
	}
	return text
}
