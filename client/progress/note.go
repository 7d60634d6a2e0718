package progress

import (
	"cmp"
	"fmt"

	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// note says why nothing happens, if so.
func note(d *subjects.JobDetail, phase ledger.Phase) string {
	pool := &d.Pool
	switch {
	case phase.Ended():
		return ""
	case phase == ledger.Trying:
		return tried(d)
	case phase == ledger.Submitted:
		return "waiting for the verdict of admission"
	case pool.Paused:
		return "the pool is paused" + by(pool.PausedBy) + ": lull resume --all goes on"
	case d.Running > 0 && pool.Frozen:
		return "every host that runs it is paused: lull resume HOST goes on, lull hosts shows which"
	case d.Running > 0:
		return ""
	case pool.Up == 0:
		return "no host is up: start one with lull agent"
	case pool.Open == 0:
		return "every host is paused or draining: see lull hosts"
	}
	return queued(d)
}

func by(w *subjects.Word) string {
	if w.By() == "" {
		return ""
	}
	return " by " + w.By()
}

// tried says what a job waits for whose verdict follows from its first tasks.
func tried(d *subjects.JobDetail) string {
	what := "a free slot for its first tasks"
	if d.Running > 0 {
		what = "its first tasks"
	}
	return "the verdict of admission waits for " + what + ", because nothing is known of how long they take"
}

// queued says that the job's queue runs no more jobs at once, if so: the first by
// submission.
func queued(d *subjects.JobDetail) string {
	most := d.Pool.AtOnce
	if most == 0 || d.Pool.Before < most {
		return ""
	}
	queue := cmp.Or(d.Queue, spec.DefaultQueue)
	return fmt.Sprintf("queue %s runs %s at a time, and %d came before it: lull jobs --queue %s --state open lists them",
		queue, humane.Count(int(most), "job"), d.Pool.Before, queue)
}
