package ledger

import "lull/subjects"

// Change is what an entry did to the state. A void entry changed nothing; the fields then
// say what it names.
type Change struct {
	Verdict

	// Job is the one that the entry is about, nil if it is about none that is known. Before
	// and After are its phases.
	Job           *Job
	Before, After Phase

	// Attempt is the one that the entry is about: assigned, reported on, revoked. It is nil
	// if there is none. Ended says that the entry ended it, so the state holds it no more.
	Attempt *Attempt
	Ended   bool
	// Held means that the attempt held its task before the entry. Beside is the task's other
	// attempt at that time: the rival of a holder, or the holder beside a rival. It is nil if there
	// was none.
	Held   bool
	Beside *Attempt

	// Released are the jobs that waited for Job alone, which has ended as they demand. Their tasks may run now.
	Released []*Job

	// Reborn says that the inbox was replaced by another one: sequences of messages that
	// were noted before mean nothing any more.
	Reborn bool
}

// about begins the change of an entry with what stands before it.
func (s *State) about(e subjects.Event) (c Change) {
	if a := s.attempts.find(subjects.AttemptOf(e)); a != nil {
		c.Job, c.Attempt, c.Held = a.Job, a, a.Holds()
		if c.Held {
			c.Beside = a.stage().Rival(a.Task.Task)
		} else if _, holder, _ := a.stage().Task(a.Task.Task); holder != a.ID {
			c.Beside = s.attempts.find(holder)
		}
	} else {
		c.Job = s.jobs[subjects.JobOf(e)]
	}
	c.noteBefore()
	return c
}

func (c *Change) noteBefore() {
	if c.Job != nil {
		c.Before = c.Job.Phase
	}
}

// complete adds what stands after the entry.
func (s *State) complete(c *Change, e subjects.Event) {
	if c.Job == nil {
		c.Job = s.jobs[subjects.JobOf(e)]
	}
	if c.Job != nil {
		c.After = c.Job.Phase
	}
	c.Ended = c.Attempt != nil && c.Attempt.released
}
