package answers

import (
	"time"

	"lull/subjects"
)

// silentAfter is the silence from which a host is shown as silent. Beats come every second, so two
// are missing.
const silentAfter = 3 * time.Second

// hosts lists the hosts with when each was heard of last. A host that is to be declared lost
// later is listed as silent already.
func (f *Facts) hosts(ask *subjects.HostsAsk) *subjects.HostsAnswer {
	answer := f.State.HostPage(ask)
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
