package sim

import "time"

// monitorGroup is the monitors that sample at the same moments: one step of the heap serves
// them all.
type monitorGroup struct {
	w       *World
	members []*monitor
	due     []time.Duration // when each of them samples next
	timer   timer
}

// monitorsOfPhase returns the group of a phase, and makes it if there is none.
func (w *World) monitorsOfPhase(phase int) *monitorGroup {
	if w.monitorGroups[phase] == nil {
		c := &monitorGroup{w: w}
		c.timer.do = c.sampleDue
		w.monitorGroups[phase] = c
	}
	return w.monitorGroups[phase]
}

func (c *monitorGroup) add(m *monitor) {
	m.group, m.index = c, len(c.members)
	c.members, c.due = append(c.members, m), append(c.due, endOfTime)
}

// schedule makes a monitor sample at a time, unless it samples earlier anyway.
func (c *monitorGroup) schedule(m *monitor, at time.Duration) {
	if at < c.due[m.index] {
		c.due[m.index] = at
		c.w.armEarlier(&c.timer, at)
	}
}

// sampleDue makes the monitors sample that are due.
func (c *monitorGroup) sampleDue() {
	next := endOfTime
	for i, at := range c.due {
		if at <= c.w.now {
			at = c.members[i].sample()
			c.due[i] = at
		}
		next = min(next, at)
	}
	if next != endOfTime {
		c.w.arm(&c.timer, next)
	}
}
