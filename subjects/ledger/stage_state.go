package ledger

import (
	"slices"

	"lull/subjects"
	"lull/subjects/spec"
)

// StageState is what has become of a stage of a job.
type StageState uint8

// A stage is over when it is not open.
const (
	StageOpen    StageState = iota
	StageDone               // all its tasks are done, except as many as may fail
	StageFailed             // more tasks than that have failed for good
	StageSkipped            // it does not run: see spec.Outcome
)

var stageStates = [...]string{"open", "done", "failed", "skipped"}

func (s StageState) String() string { return stageStates[s] }

// StageStateOf is the state of a name; false if there is none, as of a newer version.
func StageStateOf(name string) (StageState, bool) {
	i := slices.Index(stageStates[:], name)
	return StageState(max(i, 0)), i >= 0
}

// StageState returns the state of stage i.
func (j *Job) StageState(i int) StageState {
	if j.conditional {
		return j.StageStates()[i]
	}
	return j.Stages[i].ownState(spec.Outcome{})
}

// Over reports whether nothing of stage i is left to do.
func (j *Job) Over(i int) bool {
	if j.conditional {
		return j.StageState(i) != StageOpen
	}
	return j.Stages[i].Complete()
}

// StageStates returns the states of all stages.
func (j *Job) StageStates() []StageState {
	states := make([]StageState, len(j.Stages))
	for i, st := range j.Stages {
		states[i] = st.ownState(j.Shape.Stages[i].Outcome)
	}
	if j.conditional {
		s := skipper{j: j, states: states, seen: make([]bool, len(states)), jobFailed: j.hasFailed(states)}
		for i := range states {
			s.visit(i)
		}
	}
	return states
}

// ownState is what has become of the stage itself, whatever it waits for.
func (st *Stage) ownState(o spec.Outcome) StageState {
	switch {
	case failures(st) <= int(o.MaxFailures) && st.Done+st.Dead == st.Len():
		return StageDone
	case failures(st) > int(o.MaxFailures) && (!o.KeepGoing || st.Done+st.Dead == st.Len()):
		return StageFailed
	}
	return StageOpen
}

// hasFailed reports whether a stage has failed that must not, so that the job will fail.
func (j *Job) hasFailed(states []StageState) bool {
	for i, state := range states {
		if state == StageFailed && !j.Shape.Stages[i].AllowFailure {
			return true
		}
	}
	return false
}

// skipper finds the open stages that do not run.
type skipper struct {
	j         *Job
	states    []StageState
	seen      []bool
	jobFailed bool // see Job.hasFailed
}

// visit decides about a stage after those that it waits for; they form no circle.
func (s *skipper) visit(i int) {
	if s.seen[i] {
		return
	}
	s.seen[i] = true
	stage := &s.j.Shape.Stages[i]
	over, failure := true, false
	for on := range stage.Predecessors() {
		s.visit(on)
		over = over && s.states[on] != StageOpen
		failure = failure || s.states[on] == StageFailed || s.states[on] == StageSkipped && s.j.Shape.Stages[on].When == spec.WhenSuccess
	}
	if s.states[i] != StageOpen {
		return
	}
	switch stage.When {
	case spec.WhenSuccess:
		if s.jobFailed {
			s.states[i] = StageSkipped
		}
	case spec.WhenFailure:
		if over && !failure {
			s.states[i] = StageSkipped
		}
	}
}

// Ready reports whether stage i may run: it is open, and every stage and job that it waits for is over.
func (j *Job) Ready(i int) bool {
	if j.Awaiting != nil {
		return false
	}
	if j.conditional {
		states := j.StageStates()
		if states[i] != StageOpen {
			return false
		}
		for on := range j.Shape.Stages[i].Predecessors() {
			if states[on] == StageOpen {
				return false
			}
		}
		return true
	}
	for on := range j.Shape.Stages[i].Predecessors() {
		if !j.Stages[on].Complete() {
			return false
		}
	}
	return true
}

// Complete reports whether every stage is over, and none has failed that must not.
func (j *Job) Complete() bool {
	over, lost := j.over()
	return over && !lost && len(j.Stages) > 0
}

// over reports whether nothing of the job is left to do, and whether it has failed by then.
func (j *Job) over() (over, lost bool) {
	if j.conditional {
		states := j.StageStates()
		return !slices.Contains(states, StageOpen), j.hasFailed(states)
	}
	over = true
	for _, st := range j.Stages {
		if failures(st) > 0 {
			return true, true
		}
		over = over && st.Complete()
	}
	return over, false
}

// Dead returns a task that failed for good and with it the job, if there is one. What runs
// because of the failure has run.
func (j *Job) Dead() (subjects.TaskID, bool) {
	if over, lost := j.over(); !over || !lost {
		return subjects.TaskID{}, false
	}
	for i, st := range j.Stages {
		if o := j.Shape.Stages[i].Outcome; failures(st) > int(o.MaxFailures) && !o.AllowFailure {
			return subjects.TaskID{Stage: uint32(i), Task: st.firstDead()}, true
		}
	}
	return subjects.TaskID{}, false
}

// Failing reports whether a stage has failed, and others may run all the same.
func (j *Job) Failing() bool {
	if j.conditional {
		for i, st := range j.Stages {
			if st.ownState(j.Shape.Stages[i].Outcome) == StageFailed {
				return true
			}
		}
	}
	return false
}

// Left is how many tasks of stage i are still to be done: none if it is over.
func (j *Job) Left(i int) int {
	if j.conditional && j.Over(i) {
		return 0
	}
	return j.Stages[i].Len() - j.Stages[i].Done - j.Stages[i].Dead
}
