package progress

import (
	"fmt"

	"lull/client/humane"
	"lull/subjects/ledger"
)

// queued says that the job's queue runs no more jobs at once, if so: the first by
// submission.
func queued(s *ledger.State, j *ledger.Job) string {
	q, _ := s.Queue(j.Shape.Share())
	before := 0
	for other := range s.LiveJobs().All() {
		if other.Live() && other.Seq < j.Seq && other.Shape.Share() == q.Name {
			before++
		}
	}
	if q.Jobs == 0 || before < int(q.Jobs) {
		return ""
	}
	return fmt.Sprintf("queue %s runs %s at a time, and %d came before it: lull jobs --queue %s --state open lists them",
		q.Name, humane.Count(int(q.Jobs), "job"), before, q.Name)
}
