package spec

import (
	"math"
	"strconv"
)

// Outcome says when a stage runs, and what follows when tasks of it have failed for good.
// Readers of before Format 2 pass over it.
type Outcome struct {
	// When is WhenSuccess, WhenFailure or WhenAlways.
	When string `msgpack:"when,omitempty"`
	// MaxFailures is how many tasks may fail for good with the stage still done.
	MaxFailures uint32 `msgpack:"max_failures,omitempty"`
	// KeepGoing runs the other tasks to their end before a stage with too many failures has failed.
	KeepGoing bool `msgpack:"keep_going,omitempty"`
	// AllowFailure makes the job go on when the stage has failed.
	AllowFailure bool `msgpack:"allow_failure,omitempty"`
}

// When a stage runs, once all stages that it waits for are over.
const (
	WhenSuccess = ""        // if they are done, or were allowed to fail
	WhenFailure = "failure" // if one of them failed, or did not run because of a failure
	WhenAlways  = "always"
)

// whenSuccess is how documents write WhenSuccess.
const whenSuccess = "success"

// Conditional reports whether any stage of the job has an Outcome of its own.
func (j *Job) Conditional() bool {
	for i := range j.Stages {
		if j.Stages[i].Outcome != (Outcome{}) {
			return true
		}
	}
	return false
}

// RunsOnSuccess reports whether the stage runs if none fails.
func (s *Stage) RunsOnSuccess() bool { return s.When != WhenFailure }

// checkOutcome checks what follows from failures.
func (s *Stage) checkOutcome(at string) error {
	switch {
	case s.When != WhenSuccess && s.When != WhenFailure && s.When != WhenAlways:
		return faultf(at+".when", "%.80q is no outcome: write success, failure or always", s.When)
	case s.When != WhenSuccess && len(s.From)+len(s.After) == 0:
		return faultf(at+".when", "the stage waits for no other, so there is no outcome to look at: name stages in after")
	case s.MaxFailures > s.Tasks:
		return faultf(at+".max_failures", "the stage has %d tasks, and %d of them may fail: give at most as many", s.Tasks, s.MaxFailures)
	case s.Publish && s.Outcome != (Outcome{}):
		return faultf(at, "the publishing stage runs when the others are done: leave when, max_failures, fail_fast and allow_failure out")
	}
	return nil
}

// Failures is how many tasks of a stage may fail: a number, or a share of all.
type Failures struct {
	Number uint32
	Share  float64 // of all tasks, above 0 and up to 1; 0 if Number counts
}

// of is the number among so many tasks, at most all. A share is rounded down.
func (f Failures) of(tasks uint32) uint32 {
	if f.Share > 0 {
		return uint32(math.Floor(f.Share*float64(tasks) + 1e-9))
	}
	return min(f.Number, tasks)
}

// MarshalText writes the form that Parse reads.
func (f Failures) MarshalText() ([]byte, error) {
	if f.Share > 0 {
		return []byte(strconv.FormatFloat(f.Share*100, 'g', -1, 64) + "%"), nil
	}
	return []byte(strconv.FormatUint(uint64(f.Number), 10)), nil
}

// outcome is the canonical form of what a document says of failures. It needs the number of tasks.
func (s *DocStage) outcome(tasks uint32) (o Outcome) {
	if s.When != whenSuccess {
		o.When = s.When
	}
	if s.MaxFailures != nil {
		o.MaxFailures = s.MaxFailures.of(tasks)
	}
	o.KeepGoing = s.FailFast != nil && !*s.FailFast
	o.AllowFailure = s.AllowFailure != nil && *s.AllowFailure
	return o
}
