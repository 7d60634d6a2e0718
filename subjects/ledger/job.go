package ledger

import (
	"cmp"
	"slices"

	"lull/subjects"
	"lull/subjects/sorted"
	"lull/subjects/spec"
)

// Phase of a job's life.
type Phase uint8

// Phases, in the order of a job's life.
const (
	Submitted Phase = iota
	Admitted
	Finished
	Failed
	Cancelled
	Rejected
)

var phaseNames = [...]string{"submitted", "admitted", "finished", "failed", "cancelled", "rejected"}

func (p Phase) String() string { return phaseNames[p] }

// Ended reports whether the job's life is over (a retry may reopen it).
func (p Phase) Ended() bool { return p > Admitted }

// Job is one job's life.
type Job struct {
	ID        string
	Seq       uint64          // of its submitted
	Inbox     uint64          // message of the inbox that it came with
	Spec      *spec.Job       // jobs that are alike share it: do not change it
	Digest    subjects.Digest // of Spec as it was submitted, zero if an older version did that
	User      string          `msgpack:",omitempty"` // submitter whom the server vouches for, "" for nobody
	Client    string          // what the submission claims of its sender
	Trace     string
	Phase     Phase
	Submitted int64 // Unix nanoseconds, as the inbox took it
	Admitted  int64
	Ended     int64
	Deadline  int64 // Unix nanoseconds, 0 for none
	// Finish and Slack are the last prediction: at admission, or when the job
	// was found endangered.
	Finish     int64
	Slack      float64
	Endangered bool
	Code, Text string   // why it was rejected or failed
	By         *Word    `msgpack:",omitempty"` // who cancelled it or opened it again last; nil for nobody
	Earliest   int64    // earliest safe deadline, of a rejected job
	Stages     []*Stage `msgpack:"-"`
	Totals     subjects.Totals
	// Rest is the log sequence with which the job was over: it had ended, and
	// its last attempt was gone. 0 while it is not.
	Rest uint64 `msgpack:",omitempty"`

	attempts int // that are not gone
	weight   int // bytes of memory, of a job that is over
	paces    []*Pace
}

// Jobs are jobs by submission.
type Jobs = sorted.List[*Job, struct{}]

// NewJobs returns no jobs.
func NewJobs() Jobs {
	return sorted.New[*Job, struct{}](func(a, b *Job) int { return cmp.Compare(a.Seq, b.Seq) })
}

// Untried reports whether no task of the job was ever given away.
func (j *Job) Untried() bool {
	return !slices.ContainsFunc(j.Stages, (*Stage).Begun)
}

// Live reports whether tasks of the job may run.
func (j *Job) Live() bool { return j.Phase == Admitted }

// Remaining is the number of tasks that are not done.
func (j *Job) Remaining() int {
	n := 0
	for _, st := range j.Stages {
		n += st.Len() - st.Done
	}
	return n
}

// Ready reports whether every stage that stage i waits for is done.
func (j *Job) Ready(i int) bool {
	st := &j.Spec.Stages[i]
	for _, f := range st.From {
		if !j.Stages[f.Stage].Complete() {
			return false
		}
	}
	for _, a := range st.After {
		if !j.Stages[a].Complete() {
			return false
		}
	}
	return true
}

// Complete reports whether every task of every stage is done.
func (j *Job) Complete() bool {
	for _, st := range j.Stages {
		if !st.Complete() {
			return false
		}
	}
	return len(j.Stages) > 0
}

// Dead returns a task that used up its retries, if there is one.
func (j *Job) Dead() (subjects.TaskID, bool) {
	for i, st := range j.Stages {
		if st.Dead > 0 {
			return subjects.TaskID{Stage: uint32(i), Task: st.firstDead()}, true
		}
	}
	return subjects.TaskID{}, false
}

// Held is the number of attempts that hold a task.
func (j *Job) Held() int {
	n := 0
	for _, st := range j.Stages {
		n += st.Held
	}
	return n
}
