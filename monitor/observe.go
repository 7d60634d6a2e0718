package monitor

import (
	"time"

	"lull/subjects"
)

// longestGap is the longest time between two samples for which the later one stands. The
// machine slept, or readings hung, if more passed.
const longestGap = 10 * time.Second

// observe takes a sample into what the host leaves idle, and the mean of that into the sample.
func (m *Monitor) observe(u *subjects.Usage, now time.Time) {
	since := now.Sub(m.observed)
	if !m.observed.IsZero() && since > 0 && since <= longestGap && u.Age <= longestGap.Seconds() {
		if m.config.Usual.Add(now, u.Idle, since) {
			m.keepUsual()
		}
	}
	m.observed = now
	cores, observed := m.config.Usual.Mean()
	u.Usual, u.Observed = cores, observed.Seconds()
}

// keepUsual hands over what is to survive a restart.
func (m *Monitor) keepUsual() {
	if m.config.Keep == nil {
		return
	}
	body, err := m.config.Usual.Encode()
	if err != nil {
		m.config.Logger.Error("monitor: what the host left idle is not kept", "error", err)
		return
	}
	m.config.Keep(body)
}
