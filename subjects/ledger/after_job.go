package ledger

import (
	"cmp"
	"fmt"
	"slices"

	"lull/subjects/spec"
)

// awaiting is how a job stands to the jobs that it runs after.
type awaiting struct {
	jobs []spec.AfterJob // those that have not ended
	// unmet is why one of its conditions can no longer be met, "" if all can.
	unmet string
}

// followers are the jobs that wait for others.
type followers struct {
	of    map[string][]*Job // by the job that they wait for; some may have ended
	unmet Jobs              // the open ones with a condition that can no longer be met
}

func newFollowers() followers {
	return followers{of: map[string][]*Job{}, unmet: NewJobs()}
}

// Awaits lists the jobs that must end before tasks of j run, and have not ended.
func (j *Job) Awaits() []spec.AfterJob {
	if j.awaiting == nil {
		return nil
	}
	return j.awaiting.jobs
}

// Unmet is why the job can never run: a job that it runs after has ended otherwise. It is "" if it can.
func (j *Job) Unmet() string {
	if j.awaiting == nil {
		return ""
	}
	return j.awaiting.unmet
}

// Unmet are the open jobs that can never run, by submission.
func (s *State) Unmet() *Jobs { return &s.followers.unmet }

// Awaiting reports whether the job's tasks may not run yet because of other jobs.
func (j *Job) Awaiting() bool { return j.awaiting != nil }

// WhyUnmet is why a new job can never run after the given ones, "" if it can.
func (s *State) WhyUnmet(after []spec.AfterJob) string {
	for _, a := range after {
		switch before := s.jobs[a.Job]; {
		case before == nil:
			return fmt.Sprintf("it runs after %s, and no such job is known: it never was, or ended so long ago that it is forgotten (lull jobs lists those that are known)", a.Job)
		case before.Phase.Ended() && !meets(a.On, before.Phase):
			return unmetBy(a, before.Phase)
		}
	}
	return ""
}

// await notes the jobs that a new job runs after.
func (s *State) await(j *Job, after []spec.AfterJob) {
	s.setAwaiting(j, &awaiting{s.open(after), s.WhyUnmet(after)})
}

// open lists those of the jobs that have not ended.
func (s *State) open(after []spec.AfterJob) (open []spec.AfterJob) {
	for _, a := range after {
		if before := s.jobs[a.Job]; before != nil && !before.Phase.Ended() {
			open = append(open, a)
		}
	}
	return open
}

// awaitAgain notes which of them a job still waits for that is retried. How the others ended does not matter:
// the user knows it.
func (s *State) awaitAgain(j *Job) {
	s.setAwaiting(j, &awaiting{jobs: s.open(j.Spec().AfterJobs)})
}

func (s *State) setAwaiting(j *Job, w *awaiting) {
	if j.awaiting = nil; len(w.jobs) == 0 && w.unmet == "" {
		return
	}
	j.awaiting = w
	for _, a := range w.jobs {
		s.followers.of[a.Job] = append(s.followers.of[a.Job], j)
	}
	if w.unmet != "" {
		s.followers.unmet.Insert(j)
	}
}

// releaseFollowers notes that a job has ended, and returns those that waited for nothing else, by submission.
func (s *State) releaseFollowers(before *Job) (free []*Job) {
	list := s.followers.of[before.ID]
	delete(s.followers.of, before.ID)
	for _, j := range list {
		w := j.awaiting
		if w == nil || j.Phase.Ended() {
			continue
		}
		w.jobs = slices.DeleteFunc(w.jobs, func(a spec.AfterJob) bool {
			if a.Job != before.ID {
				return false
			}
			if !meets(a.On, before.Phase) && w.unmet == "" {
				w.unmet = unmetBy(a, before.Phase)
				s.followers.unmet.Insert(j)
			}
			return true
		})
		if len(w.jobs) == 0 && w.unmet == "" {
			j.awaiting = nil
			if j.Live() {
				j.Admitted = s.clock.now // since when its tasks may run
			}
			free = append(free, j)
		}
	}
	slices.SortFunc(free, func(a, b *Job) int { return cmp.Compare(a.Seq, b.Seq) })
	return free
}

// meets reports whether a job has ended as a condition demands.
func meets(on string, phase Phase) bool {
	switch on {
	case spec.OnAny:
		return true
	case spec.OnFailed:
		return phase != Finished
	}
	return phase == Finished
}

func unmetBy(a spec.AfterJob, phase Phase) string {
	wanted := "has finished"
	if a.On == spec.OnFailed {
		wanted = "has failed"
	}
	return fmt.Sprintf("it runs after %s %s, and that one ended as %s", a.Job, wanted, phase)
}

// awaitingForm is what a snapshot keeps of a job that waits for others.
type awaitingForm struct {
	Job   string          `msgpack:"job"`
	Jobs  []spec.AfterJob `msgpack:"jobs,omitempty"`
	Unmet string          `msgpack:"unmet,omitempty"`
}

// packAwaiting lists the open jobs that wait for others, by submission.
func (s *State) packAwaiting() (forms []awaitingForm) {
	for j := range s.live.All() {
		if w := j.awaiting; w != nil {
			forms = append(forms, awaitingForm{j.ID, w.jobs, w.unmet})
		}
	}
	return forms
}

func (s *State) loadAwaiting(forms []awaitingForm) error {
	for _, f := range forms {
		j := s.jobs[f.Job]
		if j == nil || j.Phase.Ended() || j.awaiting != nil {
			return fmt.Errorf("job %q, which waits for others, is missing, has ended or is there twice", f.Job)
		}
		s.setAwaiting(j, &awaiting{slices.Clone(f.Jobs), f.Unmet})
	}
	return nil
}
