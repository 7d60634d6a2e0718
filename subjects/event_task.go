package subjects

// Facts about a job's tasks on a host.

// TaskID names a task within a job.
type TaskID struct {
	Stage uint32 `msgpack:"stage" json:"stage"` // index in the document
	Task  uint32 `msgpack:"task" json:"task"`   // index in the stage
}

// Why is the reason of an assignment.
type Why struct {
	// Rule is the scheduling rule that chose: fifo, edf, mp-i, mp-ii, explore, rival, mp+risk, mp+wait,
	// mp+beyond or mp+fit.
	Rule     string  `msgpack:"rule" json:"rule"`
	Residual float64 `msgpack:"residual" json:"residual"`                             // of the slot when this was decided
	Norm     float64 `msgpack:"norm,omitempty" json:"norm_tct,omitempty"`             // predicted time here over the time on an idle core
	Expected float64 `msgpack:"expected,omitempty" json:"expected_seconds,omitempty"` // predicted time of the task at that residual, in seconds
	Slack    float64 `msgpack:"slack,omitempty" json:"slack,omitempty"`               // seconds that the job has beyond its predicted end, if it has a deadline
	// Risk is by how many seconds the job's predicted end, with a margin, passes its deadline.
	Risk float64 `msgpack:"risk,omitempty" json:"risk_seconds,omitempty"`
	// Gain is by how many seconds the task ends earlier than on an average slot, or a rival earlier than
	// the attempt that it competes with.
	Gain float64 `msgpack:"gain,omitempty" json:"gain_seconds,omitempty"`
	// Stays is the probability that the host's primary leaves the task its cores for as long as
	// the task runs, by the tenant's past days; 0 where that was not asked.
	Stays float64 `msgpack:"stays,omitempty" json:"stays,omitempty"`
	// Guessed reports that Expected follows from no finished task: the stage had no model yet.
	Guessed bool `msgpack:"guessed,omitempty" json:"guessed,omitempty"`
}

// Assigned gives a task to a slot. Its stream sequence is the attempt's id.
type Assigned struct {
	Host string `msgpack:"-"`
	Job  string `msgpack:"-"`
	TaskID
	Term uint64 `msgpack:"term"` // the incarnation of the host for which this is meant
	// Doc is the sequence of the job's accepted `job.submitted`, because the log may hold others that
	// were refused under the same id; 0 from an older slotter.
	Doc   uint64 `msgpack:"doc,omitempty"`
	Try   uint32 `msgpack:"try"`   // 1 for the task's first attempt, for people
	Slot  uint32 `msgpack:"slot"`  // first of the slots that it takes; from the host's number of slots on, a place ahead of them
	Width uint32 `msgpack:"width"` // how many slots it takes: the task's cores, rounded up
	// Part is how much it takes of the last of these slots, in thousandths; 0 for all of it. Other tasks
	// may take the rest.
	Part uint32 `msgpack:"part,omitempty"`
	// Rival makes it a second attempt beside the one that holds the task,
	// because that one is predicted to end later. The first finish counts.
	Rival bool `msgpack:"rival,omitempty"`
	// Probe marks the first tasks of a job on a host that may have to publish the job's results.
	// The host declines the attempt if it could not write to the output folder. Hosts of earlier
	// releases ignore it.
	Probe bool `msgpack:"probe,omitempty"`
	Why   Why  `msgpack:"why"` // why the task was assigned, and why there
}

// Revoked takes an attempt back: the host ends it, or forgets it.
type Revoked struct {
	Host    string `msgpack:"-"`
	Job     string `msgpack:"-"`
	Attempt uint64 `msgpack:"attempt"` // the attempt's id
	Why     string `msgpack:"why"`     // the reason, for people
	// For is the job that gets its slots, if it is revoked for another job; "" otherwise.
	For string `msgpack:"for,omitempty"`
	// Unheld says that the host's heartbeats do not list the attempt. The host must then report its end,
	// even if it never read its Assigned because the log was trimmed while the host was away.
	Unheld bool   `msgpack:"unheld,omitempty"`
	Stage  uint32 `msgpack:"stage,omitempty"` // of the attempt's task, if Unheld is set
	Task   uint32 `msgpack:"task,omitempty"`  // of the attempt's task, if Unheld is set
}

// Paced sets the rate at which a job's tasks on this host are to read their input, until the next
// Paced. It is the job's share of the pool's capacity, split over the running tasks (Park and
// Humphrey, section 5.2).
type Paced struct {
	Host string `msgpack:"-"`
	Job  string `msgpack:"-"`
	Term uint64 `msgpack:"term"` // the incarnation of the host for which this is meant
	// Rates are per stage; a stage that is not named runs as fast as it may.
	Rates []Rate `msgpack:"rates"`
	// Share is the job's part of the pool's capacity, 0–1.
	Share float64 `msgpack:"share,omitempty"`
	// Why is the reason: share (the job's share of the capacity) or deadline.
	Why string `msgpack:"why"`
	// For are the jobs because of which the rates are no higher: those with deadlines first, then those with the
	// larger shares; at most three.
	For []string `msgpack:"for,omitempty"`
}

// Rate is what each task of a stage is to read, in bytes/s.
type Rate struct {
	Stage uint32  `msgpack:"stage"` // index in the document
	Rate  float64 `msgpack:"rate"`  // bytes/s a task
}

// Fact is what every report of a host about an attempt carries.
type Fact struct {
	TaskID
	Term    uint64 `msgpack:"term"`    // the host's incarnation
	Attempt uint64 `msgpack:"attempt"` // its id: the sequence of its Assigned
}

// Started says that an attempt's process runs. An attempt that ends within
// milliseconds may be reported by its end alone.
type Started struct {
	Host string `msgpack:"-"`
	Job  string `msgpack:"-"`
	Fact
	At       int64   `msgpack:"at"`       // when the process started
	Residual float64 `msgpack:"residual"` // of its slot at the start
}

// Run is what an attempt used, from its start to its end.
type Run struct {
	Start    int64   `msgpack:"start"`         // when the process started
	Seconds  float64 `msgpack:"seconds"`       // wall time
	CPU      float64 `msgpack:"cpu"`           // seconds of CPU time
	Residual float64 `msgpack:"residual"`      // mean over the run
	In       int64   `msgpack:"in,omitempty"`  // bytes that it read from its standard input; of a whole file, its size
	Out      int64   `msgpack:"out,omitempty"` // bytes of stdout and stderr
	// Read is the ninetieth percentile of what it read in a second, in bytes; 0 when that was not
	// measured.
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
	Files    uint32 `msgpack:"files,omitempty"` // how many files the output has
	Manifest Digest `msgpack:"manifest"`        // digest of the list of these files; zero when there are none
	Fetch
	// Text says for people what publishing replaced. It is empty for other tasks, and from hosts
	// of earlier releases.
	Text string `msgpack:"text,omitempty"`
}

// Reason codes of Failed, Evicted and Declined.
const (
	ReasonExit       = "exit"       // the process ended with a status that is not 0
	ReasonSignal     = "signal"     // it was killed by a signal that lull did not send
	ReasonTimeout    = "timeout"    // it ran longer than its stage allows
	ReasonMemory     = "memory"     // it went over its memory limit
	ReasonNotFound   = "not-found"  // its command does not exist
	ReasonInput      = "input"      // its input is missing or has changed
	ReasonOutput     = "output"     // its output could not be kept
	ReasonReserve    = "reserve"    // the primary tenant needed the room
	ReasonRevoked    = "revoked"    // the slotter took it back
	ReasonPreempted  = "preempted"  // the slotter took it back for another job's sake
	ReasonVanished   = "vanished"   // the process went with its shim or its machine
	ReasonSlot       = "slot"       // the slot is taken or does not exist
	ReasonPaused     = "paused"     // the host is paused or draining
	ReasonDisk       = "disk"       // the host's disk is full
	ReasonTransport  = "transport"  // outputs of an earlier stage could not be fetched now
	ReasonUnwritable = "unwritable" // of Declined: the host could not publish the job's results, see Assigned.Probe
	ReasonNoRoom     = "no-room"    // of Declined: the folder of the job's results has no room now
	ReasonMissing    = "missing"    // of JobFailed: a task's output vanished from its host once too often
)

// Failed says that an attempt ended by its own fault. It consumes a retry.
type Failed struct {
	Host string `msgpack:"-"`
	Job  string `msgpack:"-"`
	Fact
	Run
	// Reason is for programs: exit, signal, timeout, memory, not-found, input or output.
	Reason string `msgpack:"reason"`
	Exit   int32  `msgpack:"exit"`           // exit status, or minus the signal
	Text   string `msgpack:"text,omitempty"` // the reason, for people
	Tail   string `msgpack:"tail,omitempty"` // last lines of stderr
	// Label is the task's label for people: see spec.Stage.Label. It is "" from hosts of earlier releases.
	Label string `msgpack:"label,omitempty"`
	// Final says that another attempt would fail in the same way: the task is not tried again. Services of before
	// FormatFinal pass over it, and while one of them leads it has no effect.
	Final bool `msgpack:"final,omitempty"`
	// Again says that the stage's on_exit tries the task again after this exit status. That costs no retry. Services of
	// before FormatOnExit pass over it, and while one of them leads it has no effect.
	Again bool `msgpack:"again,omitempty"`
}

// Evicted says that an attempt was ended for a reason outside it, such as the primary's need. It consumes
// no retry.
type Evicted struct {
	Host string `msgpack:"-"`
	Job  string `msgpack:"-"`
	Fact
	Run
	// Reason is for programs: reserve (the primary needs the room), preempted (for another job),
	// revoked, paused, disk or vanished.
	Reason string `msgpack:"reason"`
	// Text is more for people: which work was in the way of which, and by how much.
	Text string `msgpack:"text,omitempty"`
	// Kept is the part of the CPU time, in seconds, that the attempt used before it last wrote to its
	// checkpoint folder. The next attempt need not do that work again. 0 if it wrote nothing there, and
	// from older hosts.
	Kept float64 `msgpack:"kept,omitempty"`
}

// Lost is the work that the next attempt has to do again, in CPU seconds.
func (e *Evicted) Lost() float64 { return max(e.CPU-e.Kept, 0) }

// Declined says that a host could not start an attempt. It consumes no retry.
type Declined struct {
	Host string `msgpack:"-"`
	Job  string `msgpack:"-"`
	Fact
	// Reason is for programs: slot, paused, disk, input, transport (outputs of an earlier stage could
	// not be fetched), unwritable or no-room (the job's results could not be written).
	Reason string `msgpack:"reason"`
	Text   string `msgpack:"text,omitempty"` // the reason, for people
}

// OutputMissing reopens a finished task after its output has vanished from a live host. The host
// itself reports it, after a check of its disk. The attempt is the committed one.
type OutputMissing struct {
	Host string `msgpack:"-"`
	Job  string `msgpack:"-"`
	Fact
	Folder string `msgpack:"folder,omitempty"` // where the output was kept, for people
}

// OutputLost reopens finished tasks, because a lost host had their outputs.
type OutputLost struct {
	Host  string   `msgpack:"-"`
	Job   string   `msgpack:"-"`
	Stage uint32   `msgpack:"stage"` // index in the document
	Tasks []uint32 `msgpack:"tasks"` // their indexes in the stage
}
