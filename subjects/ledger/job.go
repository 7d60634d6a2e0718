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

// Phases, in the order of a job's life but for the last.
const (
	Submitted Phase = iota
	Admitted
	Finished
	Failed
	Cancelled
	Rejected
	Trying // between Submitted and Admitted; snapshots keep the numbers
)

var phaseNames = [...]string{"submitted", "admitted", "finished", "failed", "cancelled", "rejected", "trying"}

func (p Phase) String() string { return phaseNames[p] }

// PhaseOf is the phase of a name; false if there is none, as of a newer version.
func PhaseOf(name string) (Phase, bool) {
	i := slices.Index(phaseNames[:], name)
	return Phase(max(i, 0)), i >= 0
}

// Ended reports whether the job's life is over (a retry may reopen it).
func (p Phase) Ended() bool { return p > Admitted && p != Trying }

// Judged reports whether admission has given its verdict.
func (p Phase) Judged() bool { return p != Submitted && p != Trying }

// Job is one job's life. A million of them may wait: see Shape.
type Job struct {
	ID    string
	Seq   uint64 // of its submitted
	Inbox uint64 // message of the inbox that it came with
	Name  string
	// Shape is the part of the specification that scheduling reads, shared by
	// all jobs that are alike in it: do not change it. Spec is the whole.
	Shape *spec.Job
	doc   string // the specification in msgpack
	// refreshed is the sequence of the retry that brought the specification, 0 if it is that of the submission.
	refreshed uint64
	Digest    subjects.Digest // of the specification as it was submitted, zero if an older version did that
	*Sender
	Trace string

	Submitted int64 // Unix nanoseconds, as the inbox took it
	Admitted  int64
	Ended     int64
	Deadline  int64 // Unix nanoseconds, 0 for none
	// Finish and Slack are the last prediction: at admission, or when the job
	// was found endangered.
	Finish     int64
	Slack      float64
	Phase      Phase
	Endangered bool
	Late       bool // its deadline was not promised: see subjects.Admitted

	conditional bool // spec.Job.Conditional of its shape

	attempts int32 // that are not gone

	Code, Text string       // why it was rejected or failed; Text of a finished one: what its results replaced
	By         *Attribution // of the last cancel or retry, nil if there was none
	Earliest   int64        // earliest safe deadline, of a rejected job
	Stages     []*Stage
	Totals     subjects.Totals
	Lost       float64 // CPU seconds that evicted attempts used after their last checkpoint
	// Rest is the log sequence with which the job was over: it had ended, and
	// its last attempt was gone. 0 while it is not.
	Rest uint64

	paces []*Pace

	Awaiting *Awaiting // nil if it waits for no other job

	// Steering says where its tasks run; nil if the job was not steered.
	Steering *Steering
	// Placement says where its tasks run; nil if the placer said nothing, or the job has ended.
	Placement *Placement
}

// Steering is what the last word on a job's classes leaves.
type Steering struct {
	At      int64    `msgpack:"at"`                // Unix nanoseconds, by the log
	Need    int64    `msgpack:"need"`              // cores, in thousandths
	Classes []string `msgpack:"classes,omitempty"` // sorted; none: every host
	Rooms   []int64  `msgpack:"rooms,omitempty"`   // headroom of each when it was drawn
}

// Sender is the submitter of a job. Do not change it: jobs of one sender share it.
type Sender struct {
	User   string // proven by the server, "" if none is
	Client string // what the submission claims of its sender
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

// Due returns the deadline that decides the job's turn at a time, in Unix nanoseconds. It is 0 for
// a job without one, and for a wish that was not promised or has passed.
func (j *Job) Due(now int64) int64 {
	if j.Late || j.Shape.Late && now > j.Deadline {
		return 0
	}
	return j.Deadline
}

// Live reports whether tasks of the job may run.
func (j *Job) Live() bool { return j.Phase == Admitted || j.Phase == Trying }

// Tryable is how many more tasks of a stage may be given away: a few as long as the job is tried.
func (j *Job) Tryable(stage int) int {
	st := j.Stages[stage]
	if j.Phase != Trying {
		return st.Waiting()
	}
	return min(max(subjects.TrialTasks-st.Held-st.Done, 0), st.Waiting())
}

// Remaining is the number of tasks that are still to be done.
func (j *Job) Remaining() int {
	n := 0
	for i := range j.Stages {
		n += j.Left(i)
	}
	return n
}

// Held is the number of attempts that hold a task.
func (j *Job) Held() int {
	n := 0
	for _, st := range j.Stages {
		n += st.Held
	}
	return n
}
