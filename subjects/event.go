package subjects

import "lull/subjects/spec"

// Event is one fact of the log. The set is closed: see kinds. Times in events
// are Unix nanoseconds, durations are seconds, memory and data are bytes, CPU
// is in cores unless a field says otherwise.
type Event interface {
	// route gives the tokens of the event's subject after the pool.
	route() []string
	// fill takes the tokens back from a subject that matches the kind.
	fill(tokens []string)
}

// --- facts about a job ----------------------------------------------------

// Submitted is a client's specification as accepted into the log, by admission.
type Submitted struct {
	Job    string   `msgpack:"-"`
	Spec   spec.Job `msgpack:"spec"`
	Client string   `msgpack:"client,omitempty"` // who sent it, for people
	Inbox  uint64   `msgpack:"inbox"`            // sequence in the inbox stream
	At     int64    `msgpack:"at"`               // when the inbox took it
	// Deadline is absolute, 0 for none: a relative one counts from At.
	Deadline int64  `msgpack:"deadline,omitempty"`
	Trace    string `msgpack:"trace,omitempty"` // W3C traceparent of the submission
}

// Admitted says that a job will run, and when it should be done.
type Admitted struct {
	Job    string  `msgpack:"-"`
	Finish int64   `msgpack:"finish"`          // predicted completion
	Slack  float64 `msgpack:"slack,omitempty"` // seconds from Finish to the deadline
	Mode   string  `msgpack:"mode"`            // "affected", "eq7" or "all": which deadlines were checked
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
	ReasonDuplicate = "duplicate"     // another job has this id already
)

// Rejected says that a job will not run, why, and when it could be done.
type Rejected struct {
	Job      string `msgpack:"-"`
	Name     string `msgpack:"name,omitempty"`
	Inbox    uint64 `msgpack:"inbox"`
	Code     string `msgpack:"code"`
	Text     string `msgpack:"text"`
	Earliest int64  `msgpack:"earliest,omitempty"` // earliest deadline that would be safe
	Trace    string `msgpack:"trace,omitempty"`
}

// Endangered says that an admitted job is now predicted to miss its deadline,
// or, with a slack that is not negative, that this danger is over.
type Endangered struct {
	Job    string  `msgpack:"-"`
	Finish int64   `msgpack:"finish"`
	Slack  float64 `msgpack:"slack"` // seconds from Finish to the deadline
	Why    string  `msgpack:"why"`
}

// Cancelled ends a job on a client's request.
type Cancelled struct {
	Job   string `msgpack:"-"`
	Inbox uint64 `msgpack:"inbox"`
	Who   string `msgpack:"who,omitempty"`
	Why   string `msgpack:"why,omitempty"`
}

// Retried opens a failed or cancelled job again: what is done stays done.
type Retried struct {
	Job   string `msgpack:"-"`
	Inbox uint64 `msgpack:"inbox"`
	Who   string `msgpack:"who,omitempty"`
	Why   string `msgpack:"why,omitempty"`
}

// Totals sum up a job's run.
type Totals struct {
	Tasks    uint32  `msgpack:"tasks" json:"tasks"`
	Attempts uint32  `msgpack:"attempts" json:"attempts"`
	Evicted  uint32  `msgpack:"evicted" json:"evicted"`
	Failed   uint32  `msgpack:"failed" json:"failed"`
	CPU      float64 `msgpack:"cpu" json:"cpu_seconds"`
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
	Code   string `msgpack:"code"`
	Text   string `msgpack:"text"`
	Totals Totals `msgpack:"totals"`
}

// --- what was learnt --------------------------------------------------------

// Fitted is a completion-time model, TCT(r) = A·e^(B·r) + C·e^(D·r) seconds at
// residual r (MIMP, equation 1), with its quality. Each stage of a job has a
// model of its own: see spec.Job.Model.
type Fitted struct {
	Type    string  `msgpack:"-"` // the model's name
	A       float64 `msgpack:"a"`
	B       float64 `msgpack:"b"`
	C       float64 `msgpack:"c"`
	D       float64 `msgpack:"d"`
	NRMSE   float64 `msgpack:"nrmse"` // RMSE over the observed range (equation 9)
	Samples uint32  `msgpack:"samples"`
	// Over and Under are the shares of samples predicted too long and too
	// short, OverBy and UnderBy by how much on average, as a share of the time
	// observed.
	Over    float64 `msgpack:"over"`
	Under   float64 `msgpack:"under"`
	OverBy  float64 `msgpack:"over_by,omitempty"`
	UnderBy float64 `msgpack:"under_by,omitempty"`
	// Fast and Slow are the tenth and ninetieth percentile of the time
	// observed over the time predicted; 0 when unknown.
	Fast float64 `msgpack:"fast,omitempty"`
	Slow float64 `msgpack:"slow,omitempty"`
	// Size is the input, in bytes a task, that the model is for, 0 when its
	// tasks read nothing. A task of s bytes takes Fixed + (1−Fixed)·s/Size of
	// the model's time.
	Size  float64 `msgpack:"size,omitempty"`
	Fixed float64 `msgpack:"fixed,omitempty"`
	// Least and Most bound the inputs seen, in bytes a task; 0 when unknown.
	Least float64 `msgpack:"least,omitempty"`
	Most  float64 `msgpack:"most,omitempty"`
	// Read90 is the ninetieth percentile of what a task on an idle core reads,
	// in bytes/s (MIMP, equation 5).
	Read90 float64 `msgpack:"read90,omitempty"`
	// Drift says that the latest tasks followed no model: A is then a time on
	// an idle core that covers nine in ten of them, and work counts as
	// conserved.
	Drift bool `msgpack:"drift,omitempty"`
	// Low and High bound the residuals seen: beyond them the model extrapolates.
	Low  float64 `msgpack:"low"`
	High float64 `msgpack:"high"`
}

// --- facts by or for a host --------------------------------------------------

// Joined is a host's incarnation: its stream sequence is the host's term, and
// facts of an older one are void.
type Joined struct {
	Host     string   `msgpack:"-"`
	Instance string   `msgpack:"instance"`
	Boot     string   `msgpack:"boot"` // kernel boot id: another one means that nothing survived
	Cores    uint32   `msgpack:"cores"`
	Slots    uint32   `msgpack:"slots"`
	Ahead    uint32   `msgpack:"ahead"`  // places where short tasks wait for a slot; an older host has none
	Memory   int64    `msgpack:"memory"` // bytes that batch tasks may share
	Labels   []string `msgpack:"labels"` // sorted key=value pairs
	URL      string   `msgpack:"url"`    // where outputs and logs are read
	Token    string   `msgpack:"token"`  // bearer token of URL
	Class    string   `msgpack:"class"`  // how the primary is protected, for people
	Version  string   `msgpack:"version"`
	// Tenant is whose the host's primary is; "" on hosts that do not say.
	Tenant string `msgpack:"tenant,omitempty"`
}

// Left says that a host's agent stopped on purpose.
type Left struct {
	Host string `msgpack:"-"`
	Term uint64 `msgpack:"term"`
}

// Lost says that a host was silent for too long: its tasks may run elsewhere.
type Lost struct {
	Host    string  `msgpack:"-"`
	Term    uint64  `msgpack:"term"`
	Silence float64 `msgpack:"silence"` // seconds
}

// Paused takes a host's batch work off its CPU until Resumed.
type Paused struct {
	Host string `msgpack:"-"`
	Who  string `msgpack:"who,omitempty"`
	Why  string `msgpack:"why,omitempty"`
}

// Resumed ends Paused and Drained.
type Resumed struct {
	Host string `msgpack:"-"`
	Who  string `msgpack:"who,omitempty"`
}

// Drained lets a host finish what it runs and gives it nothing more.
type Drained struct {
	Host string `msgpack:"-"`
	Who  string `msgpack:"who,omitempty"`
	Why  string `msgpack:"why,omitempty"`
}

// PoolPaused stops assignments in the whole pool, also to hosts that join later.
type PoolPaused struct {
	Who string `msgpack:"who,omitempty"`
	Why string `msgpack:"why,omitempty"`
}

// PoolResumed ends PoolPaused.
type PoolResumed struct {
	Who string `msgpack:"who,omitempty"`
}

// Harmed says what batch work gave and took on a host over some minutes. Times
// are CPU seconds unless they say otherwise.
type Harmed struct {
	Host      string  `msgpack:"-"`
	Term      uint64  `msgpack:"term"`
	Tenant    string  `msgpack:"tenant,omitempty"`
	From      int64   `msgpack:"from"`      // Unix nanoseconds
	To        int64   `msgpack:"to"`        // Unix nanoseconds
	Harvested float64 `msgpack:"harvested"` // CPU that batch work used
	Primary   float64 `msgpack:"primary"`   // CPU that the primary used
	// Delay is how long the primary's threads waited for a CPU because batch
	// work ran, in seconds.
	Delay  float64 `msgpack:"delay"`
	Sensor string  `msgpack:"sensor"` // how Delay was measured
	// Budget is the Delay that is allowed per CPU second of the primary.
	Budget    float64 `msgpack:"budget"`
	Evictions uint32  `msgpack:"evictions,omitempty"` // for the primary's sake
}

// TaskID names a task within a job.
type TaskID struct {
	Stage uint32 `msgpack:"stage" json:"stage"`
	Task  uint32 `msgpack:"task" json:"task"`
}

// Why is the reason of an assignment.
type Why struct {
	Rule     string  `msgpack:"rule" json:"rule"`         // such as "mp-ii": see package lull/slotter
	Residual float64 `msgpack:"residual" json:"residual"` // of the slot, when it was decided
	Norm     float64 `msgpack:"norm,omitempty" json:"norm_tct,omitempty"`
	Expected float64 `msgpack:"expected,omitempty" json:"expected_seconds,omitempty"` // TCT at Residual
	Slack    float64 `msgpack:"slack,omitempty" json:"slack,omitempty"`               // seconds, for jobs with a deadline
	// Risk is by how many seconds the job's predicted end, with a margin,
	// passes its deadline; Gain by how many the task ends earlier than on an
	// average slot, or a rival than the attempt that it competes with.
	Risk float64 `msgpack:"risk,omitempty" json:"risk_seconds,omitempty"`
	Gain float64 `msgpack:"gain,omitempty" json:"gain_seconds,omitempty"`
}

// Assigned gives a task to a slot. Its stream sequence is the attempt's id.
type Assigned struct {
	Host string `msgpack:"-"`
	Job  string `msgpack:"-"`
	TaskID
	Term  uint64 `msgpack:"term"`  // the host's incarnation it is meant for
	Try   uint32 `msgpack:"try"`   // 1 for the task's first attempt: for people
	Slot  uint32 `msgpack:"slot"`  // first of Width slots; from the host's Slots on, a place ahead
	Width uint32 `msgpack:"width"` // slots taken: the task's cores
	// Rival makes it a second attempt beside the one that holds the task,
	// because that one is predicted to end later. The first finish counts.
	Rival bool `msgpack:"rival,omitempty"`
	Why   Why  `msgpack:"why"`
}

// Revoked takes an attempt back: the host ends it, or forgets it.
type Revoked struct {
	Host    string `msgpack:"-"`
	Job     string `msgpack:"-"`
	Attempt uint64 `msgpack:"attempt"`
	Why     string `msgpack:"why"`
}

// Paced sets the rate at which the tasks of a job on this host are to read their
// input, until the next one: the job's share of the pool's capacity, split over
// the tasks that run (Park and Humphrey, section 5.2).
type Paced struct {
	Host string `msgpack:"-"`
	Job  string `msgpack:"-"`
	Term uint64 `msgpack:"term"` // the host's incarnation it is meant for
	// Rates are per stage; a stage that is not named runs as fast as it may.
	Rates []Rate `msgpack:"rates"`
	// Share is the job's part of the pool's capacity, 0–1.
	Share float64 `msgpack:"share,omitempty"`
	Why   string  `msgpack:"why"` // "share" or "deadline"
}

// Rate is what each task of a stage is to read, in bytes/s.
type Rate struct {
	Stage uint32  `msgpack:"stage"`
	Rate  float64 `msgpack:"rate"`
}

// Identified is what a host learnt of how a stage's tasks follow their CPU cap:
// T(k) = A·T(k−1) + B·C(k−1), T in bytes/s, C in cores (Park and Humphrey,
// equation 1).
type Identified struct {
	Host string `msgpack:"-"`
	Job  string `msgpack:"-"`
	Fact
	A       float64 `msgpack:"a"`
	B       float64 `msgpack:"b"`
	R2      float64 `msgpack:"r2"`      // share of the variance that the model explains
	Sample  float64 `msgpack:"sample"`  // seconds between two samples
	Samples uint32  `msgpack:"samples"` // used, noisy cycles left out
	// Refused is why the model is not to be used, "" if it may be.
	Refused string `msgpack:"refused,omitempty"`
}

// Shared gives a queue its weight: the pool's capacity is divided among the
// queues that have work in proportion to their weights.
type Shared struct {
	Queue  string  `msgpack:"-"`
	Weight float64 `msgpack:"weight"` // 0 takes back what was said of the queue
	// Jobs is how many of its jobs run at once, by submission; 0 for any number.
	Jobs uint32 `msgpack:"jobs,omitempty"`
	Who  string `msgpack:"who,omitempty"`
}

// Fact is what every report of a host about an attempt carries.
type Fact struct {
	TaskID
	Term    uint64 `msgpack:"term"`    // the host's incarnation
	Attempt uint64 `msgpack:"attempt"` // stream sequence of its Assigned
}

// Started says that an attempt's process runs. An attempt that ends within
// milliseconds may be reported by its end alone.
type Started struct {
	Host string `msgpack:"-"`
	Job  string `msgpack:"-"`
	Fact
	At       int64   `msgpack:"at"`
	Residual float64 `msgpack:"residual"`
}

// Run is what an attempt used, from its start to its end.
type Run struct {
	Start    int64   `msgpack:"start"`    // when the process started
	Seconds  float64 `msgpack:"seconds"`  // wall time
	CPU      float64 `msgpack:"cpu"`      // CPU seconds
	Residual float64 `msgpack:"residual"` // mean over the run
	In       int64   `msgpack:"in,omitempty"`
	Out      int64   `msgpack:"out,omitempty"`
	// Read is the ninetieth percentile of what it read a second, in bytes, 0
	// when that was not measured.
	Read float64 `msgpack:"read,omitempty"`
}

// Digest is the first half of a SHA-256: enough to notice damage.
type Digest [16]byte

// Finished commits an attempt, if the ledger accepts it: its outputs are the
// files of the manifest with this digest, kept by the host.
type Finished struct {
	Host string `msgpack:"-"`
	Job  string `msgpack:"-"`
	Fact
	Run
	Files    uint32 `msgpack:"files,omitempty"`
	Manifest Digest `msgpack:"manifest"` // zero when there are no files
}

// Reason codes of Failed, Evicted and Declined.
const (
	ReasonExit      = "exit"      // the process ended with a status that is not 0
	ReasonSignal    = "signal"    // it was killed by a signal that lull did not send
	ReasonTimeout   = "timeout"   // it ran longer than its stage allows
	ReasonMemory    = "memory"    // it went over its memory limit
	ReasonNotFound  = "not-found" // its command does not exist
	ReasonInput     = "input"     // its input is missing or has changed
	ReasonOutput    = "output"    // its output could not be kept
	ReasonReserve   = "reserve"   // the primary tenant needed the room
	ReasonRevoked   = "revoked"   // the slotter took it back
	ReasonVanished  = "vanished"  // the process went with its shim or its machine
	ReasonSlot      = "slot"      // the slot is taken or does not exist
	ReasonPaused    = "paused"    // the host is paused or draining
	ReasonDisk      = "disk"      // the host's disk is full
	ReasonTransport = "transport" // outputs of an earlier stage could not be fetched now
)

// Failed says that an attempt ended by its own fault. It consumes a retry.
type Failed struct {
	Host string `msgpack:"-"`
	Job  string `msgpack:"-"`
	Fact
	Run
	Reason string `msgpack:"reason"`
	Exit   int32  `msgpack:"exit"` // exit status, or minus the signal
	Text   string `msgpack:"text,omitempty"`
	Tail   string `msgpack:"tail,omitempty"` // last lines of stderr
}

// Evicted says that an attempt was ended for another's sake. It consumes none.
type Evicted struct {
	Host string `msgpack:"-"`
	Job  string `msgpack:"-"`
	Fact
	Run
	Reason string `msgpack:"reason"`
}

// Declined says that a host could not start an attempt. It consumes no retry.
type Declined struct {
	Host string `msgpack:"-"`
	Job  string `msgpack:"-"`
	Fact
	Reason string `msgpack:"reason"`
	Text   string `msgpack:"text,omitempty"`
}

// OutputLost reopens finished tasks whose outputs went with a lost host.
type OutputLost struct {
	Host  string   `msgpack:"-"`
	Job   string   `msgpack:"-"`
	Stage uint32   `msgpack:"stage"`
	Tasks []uint32 `msgpack:"tasks"`
}

// Led makes an instance the writer of a partition; its stream sequence is the term.
type Led struct {
	Actor     string `msgpack:"-"`
	Partition string `msgpack:"-"`
	Instance  string `msgpack:"instance"`
}
