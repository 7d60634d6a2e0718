package story

import (
	"time"

	"lull/subjects/humane"
)

// backoffs writes how many tasks wait for their next attempt because earlier attempts failed, were declined
// or were lost, and until when.
func (t *teller) backoffs(now time.Time) {
	if t.job.Phase.Ended() {
		return
	}
	for i, st := range t.job.Stages {
		if n, next := st.Backoffs(now.UnixNano()); n > 0 {
			t.sayf("%s of %s waiting before another attempt, after failures, declines or lost processes; the first in %s.",
				humane.Count(n, "task"), t.stage(uint32(i)), humane.Span(time.Duration(next-now.UnixNano())))
		}
	}
}
