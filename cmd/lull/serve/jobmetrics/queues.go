package jobmetrics

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// maxQueues bounds the queues with a label of their own: users make queues by naming them, and each
// label is a series that is kept for long.
const maxQueues = 100

// countQueues sets the gauges of queues, if it is time.
func (m *Measured) countQueues(now time.Time) {
	if now.Before(m.queuesDue) {
		return
	}
	m.queuesDue = now.Add(queuesEvery)
	slots := m.slotsOf()
	m.metrics.queueJobs.Reset()
	m.metrics.queueSlots.Reset()
	for i, q := range m.byJobs(slots) {
		label := q
		if i >= maxQueues {
			label = ""
		}
		m.metrics.queueJobs.WithLabelValues(label).Add(float64(m.jobsOf[q]))
		m.metrics.queueSlots.WithLabelValues(label).Add(float64(slots[q]))
	}
}

// slotsOf is how many slots the tasks of each queue occupy.
func (m *Measured) slotsOf() map[string]int {
	slots := map[string]int{}
	for _, h := range m.State().Hosts() {
		for _, a := range h.Attempts() {
			slots[a.Job.Shape.Share()] += int(a.Host.PlacesOf(a))
		}
	}
	return slots
}

// byJobs lists the queues that have jobs or tasks, those with the most jobs first.
func (m *Measured) byJobs(slots map[string]int) []string {
	names := slices.Collect(maps.Keys(m.jobsOf))
	for q := range slots {
		if m.jobsOf[q] == 0 {
			names = append(names, q)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(m.jobsOf[b], m.jobsOf[a]), cmp.Compare(a, b))
	})
	return names
}
