package harvest

import (
	"cmp"
	"slices"
	"time"

	"lull/sim"
)

// demand is a job as the oracle sees it: it comes at a time, is due at another, and needs so many core-hours.
type demand struct {
	at, due time.Duration
	work    float64
}

// supply is the idle cores of all servers, in steps of the public series.
type supply []float64

const supplyStep = 5 * time.Minute

func idleOf(hosts []sim.Host, until time.Duration) supply {
	all := make(supply, until/supplyStep)
	for i := range hosts {
		for k := range all {
			used, _ := hosts[i].Load.At(time.Duration(k) * supplyStep)
			all[k] += max(float64(hosts[i].Cores)-used, 0)
		}
	}
	return all
}

// keeps returns which jobs end in time if idle cores go to the one that is due first. A job must be done a
// task's time before its deadline, since tasks cannot be divided.
func (s supply) keeps(jobs []demand) []bool {
	left, kept := make([]float64, len(jobs)), make([]bool, len(jobs))
	order := make([]int, len(jobs))
	for i := range jobs {
		left[i], order[i] = jobs[i].work, i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(jobs[a].due, jobs[b].due) })
	for k, cores := range s {
		now, hours := time.Duration(k)*supplyStep, cores*supplyStep.Hours()
		for _, i := range order {
			if jobs[i].at > now || left[i] <= 0 || hours <= 0 {
				continue
			}
			given := min(left[i], hours)
			left[i], hours = left[i]-given, hours-given
			kept[i] = left[i] <= 0 && now+supplyStep+promiseTask <= jobs[i].due
		}
	}
	return kept
}
