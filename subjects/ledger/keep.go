package ledger

// What is kept of jobs that have ended. Beyond keepTasks tasks in all, the
// oldest leave a summary; beyond keepJobs jobs, they are forgotten.
const (
	keepTasks = 2_000_000
	keepJobs  = 10_000
)

// forget bounds what is kept of ended jobs.
func (s *State) forget() {
	ended, tasks := 0, 0
	for i := len(s.order) - 1; i >= 0; i-- {
		j := s.order[i]
		if !j.Phase.Ended() || j.attempts > 0 {
			continue
		}
		ended++
		tasks += int(j.Totals.Tasks)
		if tasks > keepTasks {
			j.Stages = nil
			j.Spec.Stages = nil
			j.unpace()
		}
		if ended > keepJobs {
			delete(s.jobs, j.ID)
			s.order = append(s.order[:i], s.order[i+1:]...)
		}
	}
}
