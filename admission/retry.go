package admission

import (
	"lull/admission/inbox"
	"lull/admission/pool"
	"lull/subjects"
	"lull/subjects/ledger"
)

// lateAgain is the answer to a retry that loses its deadline.
const lateAgain = "its deadline cannot be kept: it runs after the jobs with deadlines that can be kept"

// retried is the event that opens a job again. Its deadline was promised when the pool was another, or never, if it
// was cancelled before its verdict. Where it cannot be kept now, the job runs without it: a retry takes no CPU
// from jobs that were promised theirs.
func (a *Actor) retried(b *batch, m *inbox.Message) *subjects.Retried {
	e := m.Retried(&a.facts.Config)
	if j := a.facts.Ledger.Job(m.Job); j != nil && j.Phase.Ended() && len(j.Stages) > 0 {
		m.Refresh(e, j, a.facts.Ledger.AllRead(subjects.FormatRefresh))
		e.Late = a.verdicts.losesDeadline(b, j)
	}
	return e
}

// losesDeadline reports whether a job that is retried can no longer keep its deadline, or only at the cost of others.
func (v *verdicts) losesDeadline(b *batch, j *ledger.Job) bool {
	n := pendingJob(j)
	switch {
	case n.Deadline == 0 || v.Config.Mode == subjects.ModeAll:
		return false
	case n.Deadline <= v.Now:
		return true
	case v.settled(n) > v.Now: // too little is known of the pool to take back a promise
		return j.Finish == 0 // none was made
	}
	v.pool.Refresh()
	l := v.rest(n, j)
	l.Seq = b.next
	b.next++
	f := v.judge.Predict(l)
	b.looks += f.Looks
	if !f.Admissible(v.Config.Mode, l.UntilDeadline(v.Now)) {
		return true
	}
	v.pool.Enter(l)
	b.newcomers = append(b.newcomers, l)
	return false
}

// rest is the load of an ended job's tasks that are not done.
func (v *verdicts) rest(n pool.Newcomer, j *ledger.Job) *pool.Load {
	return v.pool.Remainder(v.newLoad(n), func(stage int) int {
		st := j.Stages[stage]
		return st.Len() - st.Done
	})
}
