package pool

import (
	"fmt"

	"lull/admission/facts"
	"lull/subjects"
	"lull/subjects/ledger"
)

const (
	// tenth is the part of the time to the deadline after which a trial is over at the latest.
	tenth = 10
	// Telling is how many ended tasks of a stage suffice to predict the others.
	Telling = 3
)

// Trials are the jobs with verdicts that wait for a few of their tasks, because nothing is known of
// how long these take. A guess would promise what cannot be kept, or reject what could run.
type Trials struct {
	*facts.Facts
	pool  *Pool
	Loads map[string]*Load // by job
}

// Needed reports whether the job is to be tried before its verdict. Where a document estimates
// its tasks, or a few tasks of earlier jobs are all that is known, they are tried only if that would
// have the job rejected.
func (t *Trials) Needed(n Newcomer, l *Load, admissible bool) bool {
	if t.Config.Mode != subjects.ModeAffected || n.Deadline == 0 || !t.Ledger.Reads(subjects.FormatTrying, "") {
		return false
	}
	if j := t.Ledger.Job(n.ID); j != nil && j.Phase == ledger.Trying {
		return false // it was tried
	}
	if t.awaits(n) {
		return false
	}
	for i := range l.Stages {
		stage := &l.Shape.Stages[i]
		if len(stage.From)+len(stage.After) > 0 {
			continue // its tasks cannot run first
		}
		known := t.knowledgeOf(l, i)
		if known == nothing && stage.Estimate == 0 || known != enough && !admissible {
			return true
		}
	}
	return false
}

// Unknown reports whether nothing is known of how long a stage's tasks take.
func (t *Trials) Unknown(l *Load, stage int) bool { return t.knowledgeOf(l, stage) == nothing }

// knowledge is how much is known of how long a stage's tasks take.
type knowledge int

const (
	nothing knowledge = iota
	little            // a model of a few tasks of earlier jobs
	enough            // a model with a known error, or tasks of this job that ended
)

func (t *Trials) knowledgeOf(l *Load, stage int) knowledge {
	switch m := t.Ledger.Model(l.Stages[stage].Model); {
	case l.Stages[stage].Shown.Tasks > 0:
		return enough
	case m == nil:
		return nothing
	case m.Few():
		return little
	}
	return enough
}

// Event says that a job is tried.
func (t *Trials) Event(n Newcomer) *subjects.Trying {
	why := fmt.Sprintf("too little is known of how long its tasks take: "+
		"up to %d of each stage run first, and the verdict follows from them", subjects.TrialTasks)
	return &subjects.Trying{Job: n.ID, Until: n.Until(), Why: why}
}

// Add keeps a load of a job that is tried, in which its ended tasks are counted.
func (t *Trials) Add(j *ledger.Job) {
	l := t.pool.Costs.NewLoad(j.Shape, j)
	l.place(j)
	t.Loads[j.ID] = l
}

// Over reports whether a job's trial has shown enough, or has taken its time.
func (t *Trials) Over(n Newcomer) bool {
	l := t.Loads[n.ID]
	if l == nil || t.Now >= n.Until() {
		return true
	}
	for i := range l.Stages {
		st, life := &l.Stages[i], l.Life.Stages[i]
		if m := t.Ledger.Model(st.Model); (m == nil || m.Few()) && l.Life.Ready(i) && st.Shown.Tasks < min(Telling, life.Len()) {
			return false
		}
	}
	return true
}

// Load is what a newcomer asks of the pool. After a trial it is what its own tasks showed.
func (t *Trials) Load(n Newcomer) *Load {
	l := t.Loads[n.ID]
	if l == nil {
		return nil
	}
	t.pool.Costs.applyRefits(l)
	l.count()
	t.pool.Weigh(l)
	return l
}

// ended gives what a job's trial showed to the load that stands in the queue from now on.
func (t *Trials) ended(id string, to *Load) {
	from := t.Loads[id]
	delete(t.Loads, id)
	if from == nil || to == nil {
		return
	}
	for i := range to.Stages {
		to.Stages[i].Shown, to.Stages[i].Factor, to.Stages[i].Made = from.Stages[i].Shown, from.Stages[i].Factor, from.Stages[i].Made
	}
	to.shareShown()
	t.pool.Weigh(to)
}
