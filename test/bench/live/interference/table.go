package interference

import (
	"fmt"

	"lull/test/bench/live/stage"
	"lull/test/report"
	"lull/test/stat"
	"lull/test/steal"
)

func (t *trial) table() *report.Report {
	r := &report.Report{}
	for _, c := range t.cases {
		for _, way := range t.f.ways {
			r.Rows = append(r.Rows, c.row(way))
		}
	}
	for _, c := range t.cases {
		if len(c.shots[stage.Lulled]) > 0 {
			r.Checks = append(r.Checks, c.checks(t.f.ways)...)
		}
	}
	r.Notes = append(r.Notes,
		"Latencies in ms from when a request should have left; medians of the rounds. beside_alone: p99 over that of the same round alone, with its 95 % interval (bootstrap).",
		"retained: CPU of batch work over cores − CPU of the primary alone. running, runnable, blocked: threads of the primary in each state, on average. cpu_ms: of the server, a request. others: cores that neither used, lull's own services among them.")
	if t.again > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d measurements were disturbed and repeated: the hypervisor took more than %.0f %% of the CPU, or others used more than %.1f cores. %d were disturbed each time.",
			t.again, 100*steal.Most, othersMost, t.kept))
	}
	return r
}

func (c *condition) row(way string) report.Row {
	of := func(f func(measurement) float64) float64 { return stat.Median(each(c.shots[way], f)) }
	beside := c.p99Over(way, stage.Alone)
	return report.Row{
		{Key: "load", Value: c.load}, {Key: "batch", Value: c.kind}, {Key: "way", Value: way},
		{Key: "p50", Value: of(func(s measurement) float64 { return s.p50 })},
		{Key: "p95", Value: of(func(s measurement) float64 { return s.p95 })},
		{Key: "p99", Value: of(func(s measurement) float64 { return s.p99 })},
		{Key: "p999", Value: of(func(s measurement) float64 { return s.p999 })},
		{Key: "beside_alone", Value: beside.mid}, {Key: "low", Value: beside.low}, {Key: "high", Value: beside.high},
		{Key: "per_s", Value: of(func(s measurement) float64 { return s.rate })},
		{Key: "retained", Value: c.retained(way)},
		{Key: "running", Value: of(func(s measurement) float64 { return s.states.running })},
		{Key: "runnable", Value: of(func(s measurement) float64 { return s.states.runnable })},
		{Key: "blocked", Value: of(func(s measurement) float64 { return s.states.blocked })},
		{Key: "others", Value: of(func(s measurement) float64 { return s.others })},
		{Key: "cpu_ms", Value: of(func(s measurement) float64 { return s.cost })},
	}
}

// p99Over is the ratio of two ways' p99, round by round.
func (c *condition) p99Over(way, other string) estimate {
	p99 := func(s measurement) float64 { return s.p99 }
	return pairedRatio(each(c.shots[way], p99), each(c.shots[other], p99))
}

// retained is the share of the CPU that the primary alone leaves idle which
// batch work got.
func (c *condition) retained(way string) float64 {
	shares := make([]float64, len(c.shots[way]))
	for i, s := range c.shots[way] {
		shares[i] = s.batch / (cores() - c.shots[stage.Alone][i].states.running)
	}
	return stat.Median(shares)
}

// Bounds of the checks. The tail's is what the guard is for, HarvestContainers
// (NSDI 2026) published 1.04 at 75 % of the idle CPU.
const (
	tailMost      = 1.25
	retainedLeast = 0.75
)

func (c *condition) checks(ways []string) []report.Check {
	name := fmt.Sprintf("%.0f %%, %s: ", 100*c.load, c.kind)
	list := []report.Check{
		report.AtMost(name+"p99 of lull over alone", c.p99Over(stage.Lulled, stage.Alone).mid, tailMost),
		report.AtLeast(name+"idle CPU that lull retains", c.retained(stage.Lulled), retainedLeast),
	}
	if len(c.shots[stage.Idled]) > 0 {
		// The two differ by noise where the guard has nothing to do: its interval counts.
		list = append(list, report.AtMost(name+"p99 of lull over the idle class alone, lower end", c.p99Over(stage.Lulled, stage.Idled).low, 1))
	}
	better := 0.0
	for _, way := range ways {
		if way != stage.Alone && c.p99Over(way, stage.Lulled).high < 1 && c.retained(way) > c.retained(stage.Lulled) {
			better++
		}
	}
	return append(list, report.AtMost(name+"ways with a shorter tail and more of the CPU", better, 0))
}

func each[T any](values []T, f func(T) float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = f(v)
	}
	return out
}
