package story

import (
	"time"

	"lull/client/humane"
)

// backoffs tells how many tasks wait before they are given away again, for what
// befell them before, and for how long.
func (t *teller) backoffs(now time.Time) {
	if t.job.Phase.Ended() {
		return
	}
	for i, st := range t.job.Stages {
		if n, next := st.Backoffs(now.UnixNano()); n > 0 {
			t.sayf("%s of %s held back after failures, declines or lost processes, longer each time; the next is given away again in %s.",
				humane.Count(n, "task"), t.stage(uint32(i)), humane.Span(time.Duration(next-now.UnixNano())))
		}
	}
}
