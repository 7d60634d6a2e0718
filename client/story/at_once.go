package story

import (
	"fmt"

	"lull/subjects/humane"
	"lull/subjects/ledger"
)

// tellAtOnce writes which tasks wait because as many run as may.
func tellAtOnce(t *teller) {
	if t.job.Phase.Ended() {
		return
	}
	for i, st := range t.job.Stages {
		if why := full(t.job, i); why != "" && st.Waiting() > 0 && t.job.Ready(i) {
			t.sayf("Now: %s of %s waiting: %s.", humane.Count(st.Waiting(), "task"), t.stage(uint32(i)), why)
		}
	}
}

// full says that as many tasks run as at_once allows, of a stage or of its job; "" if more may.
func full(j *ledger.Job, stage int) string {
	own, all := j.Shape.Stages[stage].AtOnce, j.Shape.AtOnce
	switch st := j.Stages[stage]; {
	case own > 0 && st.Held >= int(own):
		return fmt.Sprintf("at_once: %d of its tasks run already", st.Held)
	case all > 0 && j.Held() >= int(all):
		return fmt.Sprintf("at_once: %d of the job's tasks run already", j.Held())
	}
	return ""
}
