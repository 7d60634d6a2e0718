package subjects

import "lull/subjects/spec"

// Facts about a job.

// Submitted is a client's specification as accepted into the log, by admission.
type Submitted struct {
	Job  string   `msgpack:"-"`
	Spec spec.Job `msgpack:"spec"`
	// User is the submitter that the server proves, "" for none. Client is the
	// submitter that the message claims, shown to users.
	User   string `msgpack:"user,omitempty"`
	Client string `msgpack:"client,omitempty"`
	Digest Digest `msgpack:"digest"` // of Spec in msgpack; zero from older versions
	Inbox  uint64 `msgpack:"inbox"`  // sequence in the inbox stream
	At     int64  `msgpack:"at"`     // when the inbox took it
	// Deadline is absolute, 0 for none: a relative one counts from At.
	Deadline int64  `msgpack:"deadline,omitempty"`
	Trace    string `msgpack:"trace,omitempty"` // W3C traceparent of the submission
}

// Trying reports that a job has no verdict yet, because nothing is known of its tasks. A few of
// them run, and the verdict follows from how long they take.
type Trying struct {
	Job string `msgpack:"-"`
	// Until is when the verdict follows at the latest, Unix nanoseconds.
	Until int64  `msgpack:"until"`
	Why   string `msgpack:"why"`
}

// TrialTasks is how many tasks of each stage a job is tried with. So many of a type show whether
// their times agree.
const TrialTasks = 4

// Admitted says that a job will run, and when it should be done.
type Admitted struct {
	Job    string  `msgpack:"-"`
	Finish int64   `msgpack:"finish"`          // predicted completion
	Slack  float64 `msgpack:"slack,omitempty"` // seconds from Finish to the deadline
	Mode   string  `msgpack:"mode"`            // which deadlines were checked: ModeAffected and others
	Why    string  `msgpack:"why"`
	// Soonest and Latest bound Finish: nine predictions in ten of the past
	// held within such an interval. 0 when nothing is known about it.
	Soonest int64 `msgpack:"soonest,omitempty"`
	Latest  int64 `msgpack:"latest,omitempty"`
	// Margin is the share that was added to every prediction, because earlier
	// ones proved optimistic.
	Margin float64 `msgpack:"margin,omitempty"`
	// Service is the sum of its tasks' predicted times, in seconds and without
	// the margin. 0 when a stage has no model yet: a guess teaches nothing.
	Service float64 `msgpack:"service,omitempty"`
	// Pushed are the jobs that this one makes later, the most urgent first.
	Pushed []Push `msgpack:"pushed,omitempty"`
	// Late means that its deadline, a wish, is not promised: it runs after all jobs with deadlines
	// that can be kept.
	Late bool `msgpack:"late,omitempty"`
}

// Push is what a newcomer costs an earlier job.
type Push struct {
	Job   string  `msgpack:"job" json:"job"`
	By    float64 `msgpack:"by" json:"by_seconds"`       // seconds later
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
	ReasonDuplicate = "duplicate"     // another job has this id already
)

// Rejected says that a job will not run, why, and when it could be done.
type Rejected struct {
	Job      string `msgpack:"-"`
	Name     string `msgpack:"name,omitempty"`     // of the job, as the document gives it
	User     string `msgpack:"user,omitempty"`     // as in Submitted, for a job without that event
	Client   string `msgpack:"client,omitempty"`   // as in Submitted, for a job without that event
	Inbox    uint64 `msgpack:"inbox"`              // sequence in the inbox stream
	Code     string `msgpack:"code"`               // a reason code, for programs
	Text     string `msgpack:"text"`               // the reason, for people
	Earliest int64  `msgpack:"earliest,omitempty"` // earliest deadline that would be safe
	Trace    string `msgpack:"trace,omitempty"`
}

// Endangered reports that an admitted job is now predicted to miss its deadline or, with a slack
// that is not negative, that this danger is over.
type Endangered struct {
	Job    string  `msgpack:"-"`
	Finish int64   `msgpack:"finish"` // predicted completion; 0 if no host is expected to leave it any CPU
	Slack  float64 `msgpack:"slack"`  // seconds from Finish to the deadline
	Why    string  `msgpack:"why"`
}

// StageFailed ends those tasks of a stage that wait, because no host could run them: they count
// as failed. The job goes on if it does not need the stage, for example with `allow_failure:`.
type StageFailed struct {
	Job   string `msgpack:"-"`
	Stage uint32 `msgpack:"stage"` // index in the document
	Code  string `msgpack:"code"`  // a reason code, for programs
	Text  string `msgpack:"text"`  // the reason, for people
}

// Cancelled ends a job on a client's request.
type Cancelled struct {
	Job   string `msgpack:"-"`
	Inbox uint64 `msgpack:"inbox"`          // sequence in the inbox stream; 0 for a cancel that was read before its turn
	User  string `msgpack:"user,omitempty"` // proven by the server, "" for none
	Who   string `msgpack:"who,omitempty"`  // a claim
	Why   string `msgpack:"why,omitempty"`
}

// Retried opens a failed or cancelled job again: what is done stays done.
type Retried struct {
	Job   string `msgpack:"-"`
	Inbox uint64 `msgpack:"inbox"`          // sequence in the inbox stream
	User  string `msgpack:"user,omitempty"` // proven by the server, "" for none
	Who   string `msgpack:"who,omitempty"`  // a claim
	Why   string `msgpack:"why,omitempty"`
}

// Totals sum up a job's run.
type Totals struct {
	Tasks    uint32  `msgpack:"tasks" json:"tasks"`
	Attempts uint32  `msgpack:"attempts" json:"attempts"`
	Evicted  uint32  `msgpack:"evicted" json:"evicted"` // attempts that were evicted
	Failed   uint32  `msgpack:"failed" json:"failed"`   // attempts that failed
	CPU      float64 `msgpack:"cpu" json:"cpu_seconds"` // of all attempts
	Seconds  float64 `msgpack:"seconds" json:"seconds"` // from submission to the end
}

// JobFinished says that every task of every stage has a committed output.
type JobFinished struct {
	Job    string `msgpack:"-"`
	Totals Totals `msgpack:"totals"`
}

// JobFailed says that a job ended without being done.
type JobFailed struct {
	Job    string `msgpack:"-"`
	Code   string `msgpack:"code"` // a reason code, for programs
	Text   string `msgpack:"text"` // the reason, for people
	Totals Totals `msgpack:"totals"`
}

// Steered names the classes of tenants on whose hosts a job's tasks run (history-based harvesting,
// Algorithm 1), with all that the selection depends on: its random draw is seeded by the job's id.
// Older readers skip it.
type Steered struct {
	Job string `msgpack:"-"`
	// Length is short, medium or long, by how many seconds the type's last job ran; 0 if
	// none has.
	Length string  `msgpack:"length"`
	Last   float64 `msgpack:"last,omitempty"` // the seconds that the last job of the type ran
	// Need is the most cores that the job can use at once, in thousandths.
	Need    int64          `msgpack:"need"`
	Classes []SteeredClass `msgpack:"classes,omitempty"` // by name
	// Anew is why the job is steered again: vanished, starved. "" for the first time.
	Anew string `msgpack:"anew,omitempty"`
}

// SteeredClass is a class as the selection saw it. Where none is picked, the job's tasks run
// on every host.
type SteeredClass struct {
	Name     string `msgpack:"name"`
	Headroom int64  `msgpack:"headroom"`         // cores for a job of that length, in thousandths
	Weight   uint32 `msgpack:"weight"`           // by which a class is drawn, with its headroom
	Picked   bool   `msgpack:"picked,omitempty"` // that the job runs on its hosts
}

// Why a job is steered anew.
const (
	SteeredVanished = "vanished" // none of its classes has a host any more
	SteeredStarved  = "starved"  // it was given nothing for minutes, and others have headroom
)
