package subjects

import "lull/subjects/spec"

// Facts about a job.

// Submitted says that admission has accepted a document into the log.
type Submitted struct {
	Job  string   `msgpack:"-"`
	Spec spec.Job `msgpack:"spec"` // the document as it was accepted
	// User is the submitter as the server proves it, "" for none.
	User string `msgpack:"user,omitempty"`
	// Client is the submitter that the message names: a claim, which is shown to users.
	Client string `msgpack:"client,omitempty"`
	Digest Digest `msgpack:"digest"` // of Spec in msgpack; zero from older releases
	Inbox  uint64 `msgpack:"inbox"`  // sequence in the inbox stream
	At     int64  `msgpack:"at"`     // when the inbox took the submission
	// Deadline is absolute, 0 for none. A relative one counts from At.
	Deadline int64  `msgpack:"deadline,omitempty"`
	Trace    string `msgpack:"trace,omitempty"` // W3C traceparent of the submission
}

// Trying reports that a job has no verdict yet, because nothing is known of its tasks. A few of
// them run, and the verdict follows from how long they take.
type Trying struct {
	Job string `msgpack:"-"`
	// Until is when the verdict follows at the latest.
	Until int64  `msgpack:"until"`
	Why   string `msgpack:"why"` // the reason, for people
}

// TrialTasks is how many tasks of each stage a job is tried with. So many of a type show whether
// their times agree.
const TrialTasks = 4

// Admitted says that a job will run, and when it should be done.
type Admitted struct {
	Job    string  `msgpack:"-"`
	Finish int64   `msgpack:"finish"`          // predicted end of the job
	Slack  float64 `msgpack:"slack,omitempty"` // seconds from Finish to the deadline
	// Mode is which deadlines were checked: affected (its own and those of all jobs that it delays), eq7
	// (its own, as MIMP's equation 7 has it) or all (none).
	Mode string `msgpack:"mode"`
	Why  string `msgpack:"why"` // the reason, for people
	// Soonest is the lower end of the interval around Finish that held nine in ten of the past
	// predictions; 0 when it is unknown.
	Soonest int64 `msgpack:"soonest,omitempty"`
	// Latest is the upper end of that interval; 0 when it is unknown.
	Latest int64 `msgpack:"latest,omitempty"`
	// Margin is the share that was added to every prediction, because earlier
	// ones proved optimistic.
	Margin float64 `msgpack:"margin,omitempty"`
	// Service is the sum of its tasks' predicted times, in seconds and without
	// the margin. 0 when a stage has no model yet: a guess teaches nothing.
	Service float64 `msgpack:"service,omitempty"`
	// Pushed are the jobs that end later because of this one, the most urgent first.
	Pushed []Push `msgpack:"pushed,omitempty"`
	// Late means that the deadline is a wish that is not promised: the job runs after all jobs with
	// deadlines that can be kept.
	Late bool `msgpack:"late,omitempty"`
}

// Push is what a newcomer costs an earlier job.
type Push struct {
	Job   string  `msgpack:"job" json:"job"`             // its id
	By    float64 `msgpack:"by" json:"by_seconds"`       // by how many seconds it ends later
	Slack float64 `msgpack:"slack" json:"slack_seconds"` // seconds that remain to its deadline
}

// Reason codes of Rejected.
const (
	ReasonInvalid   = "invalid"       // the specification does not hold together
	ReasonDeadline  = "deadline"      // its own deadline cannot be met
	ReasonOthers    = "others"        // it would push an admitted job past its deadline
	ReasonPast      = "deadline-past" // the deadline was over before it came
	ReasonNoHost    = "no-host"       // no host of the pool can ever run it
	ReasonQueues    = "queues"        // it names a queue that does not exist, and no more may be brought into being so
	ReasonAfter     = "after-job"     // a job that it runs after is not known, or has ended otherwise
	ReasonRunning   = "name-open"     // another job of its name is open, and it wants to be the only one
	ReasonDuplicate = "duplicate"     // another job has this id already
)

// Rejected says that a job will not run, why, and when it could be done.
type Rejected struct {
	Job  string `msgpack:"-"`
	Name string `msgpack:"name,omitempty"` // of the job, as the document gives it
	// User is the submitter as the server proves it, "" for none.
	User string `msgpack:"user,omitempty"`
	// Client is the submitter that the message names: a claim.
	Client string `msgpack:"client,omitempty"`
	Inbox  uint64 `msgpack:"inbox"` // sequence in the inbox stream
	// Code is for programs: invalid, deadline, others, deadline-past, no-host, queues, after-job, name-open or duplicate.
	Code     string `msgpack:"code"`
	Text     string `msgpack:"text"`               // the reason, for people
	Earliest int64  `msgpack:"earliest,omitempty"` // the earliest deadline that could be promised; 0 for none
	Trace    string `msgpack:"trace,omitempty"`    // W3C traceparent of the submission
}

// Endangered reports that an admitted job is now predicted to miss its deadline or, with a slack
// that is not negative, that this danger is over.
type Endangered struct {
	Job    string  `msgpack:"-"`
	Finish int64   `msgpack:"finish"` // predicted end of the job; 0 if no host is expected to leave it any CPU
	Slack  float64 `msgpack:"slack"`  // seconds from Finish to the deadline
	Why    string  `msgpack:"why"`    // the reason, for people
}

// StageFailed ends those tasks of a stage that wait, because no host could run them: they count
// as failed. The job goes on if it does not need the stage, for example with `allow_failure:`.
type StageFailed struct {
	Job   string `msgpack:"-"`
	Stage uint32 `msgpack:"stage"` // index in the document
	Code  string `msgpack:"code"`  // for programs: not-found
	Text  string `msgpack:"text"`  // the reason, for people
}

// Cancelled ends a job on a client's request.
type Cancelled struct {
	Job   string `msgpack:"-"`
	Inbox uint64 `msgpack:"inbox"` // sequence in the inbox stream; 0 for a cancel that was read before its turn
	// User is the sender as the server proves it, "" for none.
	User string `msgpack:"user,omitempty"`
	Who  string `msgpack:"who,omitempty"` // the sender that the message names: a claim
	Why  string `msgpack:"why,omitempty"` // the sender's reason
}

// Retried opens a failed or cancelled job again: what is done stays done.
type Retried struct {
	Job   string `msgpack:"-"`
	Inbox uint64 `msgpack:"inbox"` // sequence in the inbox stream
	// User is the sender as the server proves it, "" for none.
	User string `msgpack:"user,omitempty"`
	Who  string `msgpack:"who,omitempty"` // the sender that the message names: a claim
	Why  string `msgpack:"why,omitempty"` // the sender's reason
	// Late says that its deadline cannot be kept now, or only at the cost of other jobs: it runs after
	// the jobs whose deadlines can be kept.
	Late bool `msgpack:"late,omitempty"`
	// Doc is the job's document with its inputs pinned anew; nil if they were not. It counts from here on. Tasks are
	// assigned with the sequence of this entry.
	Doc *Submitted `msgpack:"doc,omitempty"`
	// Again are the tasks whose inputs changed, by stage. They run again, and so do those that read what they wrote.
	Again []StageTasks `msgpack:"again,omitempty"`
}

// Totals sum up a job's run.
type Totals struct {
	Tasks    uint32  `msgpack:"tasks" json:"tasks"`       // tasks of all stages
	Attempts uint32  `msgpack:"attempts" json:"attempts"` // attempts of all tasks
	Evicted  uint32  `msgpack:"evicted" json:"evicted"`   // attempts that were evicted
	Failed   uint32  `msgpack:"failed" json:"failed"`     // attempts that failed
	CPU      float64 `msgpack:"cpu" json:"cpu_seconds"`   // seconds of CPU time of all attempts
	Seconds  float64 `msgpack:"seconds" json:"seconds"`   // seconds from submission to the end
}

// JobFinished says that every task of every stage has a committed output.
type JobFinished struct {
	Job    string `msgpack:"-"`
	Totals Totals `msgpack:"totals"` // sums over the job's run
}

// JobFailed says that a job ended without being done.
type JobFailed struct {
	Job string `msgpack:"-"`
	// Code is for programs: a `reason` of Failed, or missing (a task's output vanished from its host too
	// often).
	Code   string `msgpack:"code"`
	Text   string `msgpack:"text"`   // the reason, for people
	Totals Totals `msgpack:"totals"` // sums over the job's run
}

// Steered names the classes of tenants on whose hosts a job's tasks run (history-based harvesting,
// Algorithm 1), with all that the selection depends on: its random draw is seeded by the job's id.
// Older readers skip it.
type Steered struct {
	Job string `msgpack:"-"`
	// Length is short, medium or long, by Last; medium if no job of the type has run.
	Length string  `msgpack:"length"`
	Last   float64 `msgpack:"last,omitempty"` // seconds that the last job of the type ran; 0 if none has
	// Need is the most cores that the job can use at once, in thousandths.
	Need int64 `msgpack:"need"`
	// Classes are the classes among which the job's were chosen, by name. Where none is picked, the
	// tasks run on every host.
	Classes []SteeredClass `msgpack:"classes,omitempty"`
	// Anew is why the job is steered again: vanished, starved. "" for the first time.
	Anew string `msgpack:"anew,omitempty"`
}

// SteeredClass is a class as the selection saw it. Where none is picked, the job's tasks run
// on every host.
type SteeredClass struct {
	Name     string `msgpack:"name"`             // the class's name
	Headroom int64  `msgpack:"headroom"`         // cores that its hosts have for a job of that length, in thousandths
	Weight   uint32 `msgpack:"weight"`           // a class is drawn in proportion to weight and headroom
	Picked   bool   `msgpack:"picked,omitempty"` // the job runs on the class's hosts
}

// Why a job is steered anew.
const (
	SteeredVanished = "vanished" // none of its classes has a host any more
	SteeredStarved  = "starved"  // it was given nothing for minutes, and others have headroom
)
