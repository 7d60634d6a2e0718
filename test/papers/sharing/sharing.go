// Package sharing is how queues share a cluster in Park and Humphrey's section 6.3, and what their
// jobs took: for runs on this machine and for simulated ones.
package sharing

import (
	"math"
	"time"

	"lull/slotter"
	"lull/test/report"
	"lull/test/stat"
)

// Way is one of the ways in which Park and Humphrey's section 6.3 runs jobs
// beside each other. Each queue runs one job after the other.
type Way struct {
	Name   string
	Queues []Queue
	Pace   string
	Paper  []Printed // of its queues
	Whole  float64   // hours, the paper's
}

// Printed is what the paper prints for a queue, in seconds.
type Printed struct{ Mean, Deviation float64 }

// The names of the ways.
const (
	FairShare = "fair share"
	Priority  = "priority 2/3 : 1/3"
	Unmanaged = "unmanaged"
	Exclusive = "exclusive"
)

// Queue runs so many jobs, one after the other.
type Queue struct {
	Name   string
	Weight float64
	Jobs   int
}

// Ways have as many jobs as the paper's runs: 50, and 51 with priorities. The
// paper prints one mean for two queues that are treated alike.
var Ways = []Way{
	{FairShare, []Queue{{"one", 1, 25}, {"two", 1, 25}}, slotter.PaceOn, []Printed{{545.7, 12.8}, {545.7, 12.8}}, 3 + 49./60},
	{Priority, []Queue{{"high", 2, 31}, {"low", 1, 20}}, slotter.PaceOn, []Printed{{503.7, 59.5}, {777.6, 17.2}}, 4 + 18./60},
	{Unmanaged, []Queue{{"one", 1, 25}, {"two", 1, 25}}, slotter.PaceOff, []Printed{{585.0, 270.8}, {585.0, 270.8}}, 4 + 4./60},
	{Exclusive, []Queue{{"one", 1, 50}}, slotter.PaceOff, []Printed{{405.0, 16.0}}, 5 + 37./60},
}

// Span is one job's, from its first task to its end.
type Span struct {
	Queue        string
	Began, Ended time.Duration
}

// Makespan is what a queue's jobs took, in seconds.
type Makespan struct {
	Jobs            int
	Mean, Deviation float64
}

// Sum sums up a run, queue by queue, and returns how long all of it took. Jobs that ended after another queue had
// run dry are left out: they had more than their share.
func Sum(spans []Span) (of map[string]Makespan, whole time.Duration) {
	last := map[string]time.Duration{}
	for _, s := range spans {
		last[s.Queue] = max(last[s.Queue], s.Ended)
		whole = max(whole, s.Ended)
	}
	dry := time.Duration(math.MaxInt64)
	for _, at := range last {
		dry = min(dry, at)
	}
	seconds := map[string][]float64{}
	for _, s := range spans {
		if s.Ended <= dry {
			seconds[s.Queue] = append(seconds[s.Queue], (s.Ended - s.Began).Seconds())
		}
	}
	of = map[string]Makespan{}
	for queue, list := range seconds {
		mean, deviation := stat.Spread(list)
		of[queue] = Makespan{len(list), mean, deviation}
	}
	return of, whole
}

// Checks compares a run with the purpose of sharing: the same time for every job, twice as long for
// half of the share, and nothing lost for it. of returns a figure of a way.
func Checks(of func(way, metric string) float64, at string) []report.Check {
	deviation := max(of(FairShare, "one: deviation_s")/of(FairShare, "one: makespan_s"),
		of(FairShare, "two: deviation_s")/of(FairShare, "two: makespan_s"))
	ratio := of(Priority, "low: makespan_s") / of(Priority, "high: makespan_s")
	longer := of(FairShare, "whole_h")/of(Unmanaged, "whole_h") - 1
	return []report.Check{
		report.AtMost(at+"fair share: deviation of the makespan, % of its mean", 100*deviation, 3).WithPaper(100 * 12.8 / 545.7),
		report.AtLeast(at+"priority: low over high makespan", ratio, 1.8).WithPaper(777.6 / 503.7),
		report.AtMost(at+"priority: low over high makespan", ratio, 2.2).WithPaper(777.6 / 503.7),
		report.AtMost(at+"fair share: whole run longer than Unmanaged, %", 100*longer, 5).WithPaper(100 * (229./244 - 1)),
	}
}
