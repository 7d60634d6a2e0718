package admission

import (
	"fmt"

	"lull/admission/facts"
	"lull/subjects"
	"lull/subjects/ledger"
)

const (
	// tenth is the part of the time to the deadline after which a trial is over at the latest.
	tenth = 10
	// telling is how many ended tasks of a stage suffice to predict the others.
	telling = 3
)

// trials are the jobs with verdicts that wait for a few of their tasks, because nothing is known of
// how long these take. A guess would promise what cannot be kept, or reject what could run.
type trials struct {
	*facts.Facts
	pool  *pool
	loads map[string]*load // by job
}

// begins reports whether the job is to be tried before its verdict. Where a document estimates
// its tasks, they are tried only if the estimate would have the job rejected.
func (t *trials) begins(n newcomer, l *load, admissible bool) bool {
	if t.Config.Mode != subjects.ModeAffected || n.deadline == 0 || !t.Ledger.Reads(subjects.FormatTrying, "") {
		return false
	}
	if j := t.Ledger.Job(n.id); j != nil && j.Phase == ledger.Trying {
		return false // it was tried
	}
	for i := range l.terms {
		stage := &l.shape.Stages[i]
		if t.unknown(l, i) && len(stage.From)+len(stage.After) == 0 && (stage.Estimate == 0 || !admissible) {
			return true
		}
	}
	return false
}

// unknown reports whether nothing is known of how long a stage's tasks take.
func (t *trials) unknown(l *load, stage int) bool {
	return t.Ledger.Model(l.terms[stage].model) == nil && l.terms[stage].shown.Tasks == 0
}

// begin says that a job is tried.
func (t *trials) begin(n newcomer) *subjects.Trying {
	return &subjects.Trying{Job: n.id, Until: n.until(), Why: fmt.Sprintf(
		"nothing is known of how long its tasks take: up to %d of each stage run first, and the verdict follows from them", subjects.TrialTasks)}
}

// began keeps a load of a job that is tried, in which its ended tasks are counted.
func (t *trials) began(j *ledger.Job) {
	l := t.pool.costs.newLoad(j.Shape, j)
	l.place(j)
	t.loads[j.ID] = l
}

// over reports whether a job's trial has shown enough, or has taken its time.
func (t *trials) over(n newcomer) bool {
	l := t.loads[n.id]
	if l == nil || t.Now >= n.until() {
		return true
	}
	for i := range l.terms {
		st, life := &l.terms[i], l.life.Stages[i]
		if t.Ledger.Model(st.model) == nil && l.life.Ready(i) && st.shown.Tasks < min(telling, life.Len()) {
			return false
		}
	}
	return true
}

// load is what a newcomer asks of the pool. After a trial it is what its own tasks showed.
func (t *trials) load(n newcomer) *load {
	l := t.loads[n.id]
	if l == nil {
		return nil
	}
	t.pool.costs.relearnt(l)
	l.count()
	t.pool.weigh(l)
	return l
}

// ended gives what a job's trial showed to the load that stands in the queue from now on.
func (t *trials) ended(id string, to *load) {
	from := t.loads[id]
	delete(t.loads, id)
	if from == nil || to == nil {
		return
	}
	for i := range to.terms {
		to.terms[i].shown, to.terms[i].factor, to.terms[i].made = from.terms[i].shown, from.terms[i].factor, from.terms[i].made
	}
	to.liken()
	t.pool.weigh(to)
}
