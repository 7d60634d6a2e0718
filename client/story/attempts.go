package story

import (
	"slices"

	"lull/actors"
	"lull/subjects"
)

// Attempt is one run of a task as its history records it.
type Attempt struct {
	subjects.TaskID
	ID    uint64
	Try   uint32 // 1 for the task's first attempt
	Host  string
	Began bool           // its process runs, or ran
	End   subjects.Event // Finished, Failed, Evicted, Declined; nil before
}

// Attempts are a job's attempts, in order of assignment. The zero value is
// empty.
type Attempts struct {
	List  []*Attempt
	index map[uint64]*Attempt
}

// AttemptsOf lists the attempts of a job's history.
func AttemptsOf(history []actors.Entry) []*Attempt {
	var all Attempts
	for _, entry := range history {
		all.Add(entry)
	}
	return all.List
}

// Add takes the next entry about the job and returns its attempt, nil if it is about none that is
// known.
func (all *Attempts) Add(entry actors.Entry) *Attempt {
	if e, ok := entry.Event.(*subjects.Assigned); ok {
		return all.assigned(entry.Seq, e)
	}
	fact := subjects.ReportOf(entry.Event)
	if fact == nil {
		return nil
	}
	a := all.index[fact.Attempt]
	if a == nil || a.End != nil {
		return a
	}
	_, declined := entry.Event.(*subjects.Declined)
	a.Began = a.Began || !declined
	if end, _ := subjects.EndOf(entry.Event); end != nil {
		a.End = entry.Event
	}
	return a
}

func (all *Attempts) assigned(seq uint64, e *subjects.Assigned) *Attempt {
	if all.index == nil {
		all.index = map[uint64]*Attempt{}
	}
	a := &Attempt{TaskID: e.TaskID, ID: seq, Try: e.Try, Host: e.Host}
	all.index[seq] = a
	all.List = append(all.List, a)
	return a
}

// Failures counts how often a task failed since its job was submitted or retried.
func Failures(history []actors.Entry, task subjects.TaskID) int {
	n, ends := 0, lifecycle{}
	for _, entry := range history {
		ends.note(entry.Event)
		switch e := entry.Event.(type) {
		case *subjects.Retried:
			if ends.retried {
				n = 0
			}
		case *subjects.Failed:
			if e.TaskID == task {
				n++
			}
		}
	}
	return n
}

// LastFailure returns the failure that a failed job's history ends with: the
// last one of a task that was not done later. It is nil when there is none.
func LastFailure(history []actors.Entry) *subjects.Failed {
	var last *subjects.Failed
	for _, entry := range history {
		switch e := entry.Event.(type) {
		case *subjects.Failed:
			last = e
		case *subjects.Finished:
			if last != nil && last.TaskID == e.TaskID {
				last = nil
			}
		}
	}
	return last
}

// FailureOf returns the last failure of a task, nil if there is none.
func FailureOf(history []actors.Entry, task subjects.TaskID) *subjects.Failed {
	for _, entry := range slices.Backward(history) {
		if e, ok := entry.Event.(*subjects.Failed); ok && e.TaskID == task {
			return e
		}
	}
	return nil
}
