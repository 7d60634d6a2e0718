package answers

import (
	"time"

	"lull/subjects"
	"lull/subjects/ledger/page"
)

// silentAfter is the silence from which a host is shown as silent. Beats come every second, so two
// are missing.
const silentAfter = 3 * time.Second

// hosts lists the hosts with the times of their last heartbeats. A host counts as silent before it
// is declared lost.
func (f *Facts) hosts(ask *subjects.HostsAsk) *subjects.HostsAnswer {
	answer := page.Hosts(f.State, ask)
	for i := range answer.Hosts {
		line := &answer.Hosts[i]
		if !line.Gone {
			line.Heard = f.Beat(line.Host)
		}
		if line.Heard == 0 {
			continue // an older version noted that it went away, and not when
		}
		silence := time.Duration(max(f.Now-line.Heard, 0))
		line.Silence = silence.Seconds()
		if !line.Gone && silence >= silentAfter {
			line.State = subjects.Silent
		}
	}
	return answer
}
