package monitor

import (
	"time"

	"lull/subjects"
)

// longestGap is the longest time that a sample may stand for. If more has passed since the last one, the
// machine was suspended or readings hung.
const longestGap = 10 * time.Second

// observe adds a sample to what the host leaves idle, and sets the mean of that in the sample.
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

// keepUsual passes to Config.Keep what is to survive a restart.
func (m *Monitor) keepUsual() {
	if m.config.Keep == nil {
		return
	}
	body, err := m.config.Usual.Encode()
	if err != nil {
		m.config.Logger.Error("monitor: the average of what the primary leaves idle is not saved", "error", err)
		return
	}
	m.config.Keep(body)
}
