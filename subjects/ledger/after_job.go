package ledger

import (
	"cmp"
	"fmt"
	"slices"

	"lull/subjects/spec"
)

// Awaiting is how a job stands to the jobs that it runs after. A job with nil waits for none.
type Awaiting struct {
	jobs  []spec.AfterJob // those that have not ended
	unmet string
}

// Jobs lists the jobs that must end before tasks of the job run, and have not ended.
func (w *Awaiting) Jobs() []spec.AfterJob {
	if w == nil {
		return nil
	}
	return w.jobs
}

// Unmet is why the job can never run: a job that it runs after has ended otherwise. It is "" if it can.
func (w *Awaiting) Unmet() string {
	if w == nil {
		return ""
	}
	return w.unmet
}

// Followers are the jobs that wait for others.
type Followers struct {
	of    map[string]map[*Job]struct{} // the open ones, by the job that they wait for
	unmet Jobs                         // the open ones with a condition that can no longer be met
}

func newFollowers() Followers { return Followers{of: map[string]map[*Job]struct{}{}, unmet: NewJobs()} }

// Unmet are the open jobs that can never run, by submission.
func (f *Followers) Unmet() *Jobs { return &f.unmet }

// WhyUnmet is why a new job can never run after the given ones, "" if it can.
func WhyUnmet(s *State, after []spec.AfterJob) string {
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

// awaitOpen has a job wait for those of its earlier jobs that have not ended.
func awaitOpen(s *State, j *Job, after []spec.AfterJob, unmet string) {
	w := &Awaiting{unmet: unmet}
	for _, a := range after {
		if before := s.jobs[a.Job]; before != nil && !before.Phase.Ended() {
			w.jobs = append(w.jobs, a)
		}
	}
	s.Followers.add(j, w)
}

func (f *Followers) add(j *Job, w *Awaiting) {
	if j.Awaiting = nil; len(w.jobs) == 0 && w.unmet == "" {
		return
	}
	j.Awaiting = w
	for _, a := range w.jobs {
		if f.of[a.Job] == nil {
			f.of[a.Job] = map[*Job]struct{}{}
		}
		f.of[a.Job][j] = struct{}{}
	}
	if w.unmet != "" {
		f.unmet.Insert(j)
	}
}

// release notes that a job has ended at a time, and returns those that waited for nothing else, by submission.
func (f *Followers) release(before *Job, now int64) (free []*Job) {
	waiting := f.of[before.ID]
	delete(f.of, before.ID)
	for j := range waiting {
		if unmet := j.Awaiting.drop(before); unmet != "" {
			f.unmet.Insert(j)
		}
		if len(j.Awaiting.jobs) > 0 || j.Awaiting.unmet != "" {
			continue
		}
		if j.Awaiting = nil; j.Live() {
			j.Admitted = now // since when its tasks may run
		}
		free = append(free, j)
	}
	slices.SortFunc(free, func(a, b *Job) int { return cmp.Compare(a.Seq, b.Seq) })
	return free
}

// forget drops a job that has ended: those that it waited for may stay open for long.
func (f *Followers) forget(j *Job) {
	f.unmet.Remove(j)
	for _, a := range j.Awaiting.Jobs() {
		if delete(f.of[a.Job], j); len(f.of[a.Job]) == 0 {
			delete(f.of, a.Job)
		}
	}
}

// drop takes out a job that has ended. It returns why the first condition is unmet, if that is new.
func (w *Awaiting) drop(before *Job) (unmet string) {
	w.jobs = slices.DeleteFunc(w.jobs, func(a spec.AfterJob) bool {
		if a.Job == before.ID && !meets(a.On, before.Phase) && w.unmet == "" {
			unmet = unmetBy(a, before.Phase)
			w.unmet = unmet
		}
		return a.Job == before.ID
	})
	return unmet
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
func packAwaiting(s *State) (forms []awaitingForm) {
	for j := range s.live.All() {
		if w := j.Awaiting; w != nil {
			forms = append(forms, awaitingForm{j.ID, w.jobs, w.unmet})
		}
	}
	return forms
}

func loadAwaiting(s *State, forms []awaitingForm) error {
	for _, f := range forms {
		j := s.jobs[f.Job]
		if j == nil || j.Phase.Ended() || j.Awaiting != nil {
			return fmt.Errorf("job %q, which waits for others, is missing, has ended or is there twice", f.Job)
		}
		s.Followers.add(j, &Awaiting{slices.Clone(f.Jobs), f.Unmet})
	}
	return nil
}
