package main

import (
	"math"
	"time"

	"lull/slotter"
	"lull/test/report"
	"lull/test/stat"
)

// sharing is one of the ways in which Park and Humphrey's section 6.3 runs jobs
// beside each other. Each queue runs one job after the other.
type sharing struct {
	name   string
	queues []sharedQueue
	pace   string
	paper  []paperSpan // of its queues
	whole  float64     // hours, the paper's
}

// paperSpan is what the paper prints for a queue, in seconds.
type paperSpan struct{ mean, deviation float64 }

// The names of the ways.
const (
	fairShare = "fair share"
	priority  = "priority 2/3 : 1/3"
	unmanaged = "unmanaged"
	exclusive = "exclusive"
)

type sharedQueue struct {
	name   string
	weight float64
	jobs   int
}

// sharings have as many jobs as the paper's runs: 50, and 51 with priorities. The
// paper prints one mean for two queues that are treated alike.
var sharings = []sharing{
	{fairShare, []sharedQueue{{"one", 1, 25}, {"two", 1, 25}}, slotter.PaceOn, []paperSpan{{545.7, 12.8}, {545.7, 12.8}}, 3 + 49./60},
	{priority, []sharedQueue{{"high", 2, 31}, {"low", 1, 20}}, slotter.PaceOn, []paperSpan{{503.7, 59.5}, {777.6, 17.2}}, 4 + 18./60},
	{unmanaged, []sharedQueue{{"one", 1, 25}, {"two", 1, 25}}, slotter.PaceOff, []paperSpan{{585.0, 270.8}, {585.0, 270.8}}, 4 + 4./60},
	{exclusive, []sharedQueue{{"one", 1, 50}}, slotter.PaceOff, []paperSpan{{405.0, 16.0}}, 5 + 37./60},
}

// span is one job's, from its first task to its end.
type span struct {
	queue        string
	began, ended time.Duration
}

// makespan is what a queue's jobs took, in seconds.
type makespan struct {
	jobs            int
	mean, deviation float64
}

// shared sums up a run, queue by queue. Jobs that ended after another queue had
// run dry are left out: they had more than their share.
func shared(spans []span) (of map[string]makespan, whole time.Duration) {
	last := map[string]time.Duration{}
	for _, s := range spans {
		last[s.queue] = max(last[s.queue], s.ended)
		whole = max(whole, s.ended)
	}
	dry := time.Duration(math.MaxInt64)
	for _, at := range last {
		dry = min(dry, at)
	}
	seconds := map[string][]float64{}
	for _, s := range spans {
		if s.ended <= dry {
			seconds[s.queue] = append(seconds[s.queue], (s.ended - s.began).Seconds())
		}
	}
	of = map[string]makespan{}
	for queue, list := range seconds {
		mean, deviation := stat.Spread(list)
		of[queue] = makespan{len(list), mean, deviation}
	}
	return of, whole
}

// sharingChecks hold a run against what sharing is for: the same time for every
// job, twice as long for half of the share, and nothing lost for it. of is a
// figure of a way.
func sharingChecks(of func(way, metric string) float64, at string) []report.Check {
	deviation := max(of(fairShare, "one: deviation_s")/of(fairShare, "one: makespan_s"),
		of(fairShare, "two: deviation_s")/of(fairShare, "two: makespan_s"))
	ratio := of(priority, "low: makespan_s") / of(priority, "high: makespan_s")
	longer := of(fairShare, "whole_h")/of(unmanaged, "whole_h") - 1
	return []report.Check{
		report.AtMost(at+"fair share: deviation of the makespan, % of its mean", 100*deviation, 3).Beside(100 * 12.8 / 545.7),
		report.AtLeast(at+"priority: low over high makespan", ratio, 1.8).Beside(777.6 / 503.7),
		report.AtMost(at+"priority: low over high makespan", ratio, 2.2).Beside(777.6 / 503.7),
		report.AtMost(at+"fair share: whole run longer than unmanaged, %", 100*longer, 5).Beside(100 * (229./244 - 1)),
	}
}
