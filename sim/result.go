package sim

import "time"

// Result is the outcome of a scenario. Times count from its begin.
type Result struct {
	Jobs []JobResult // by submission
	Runs []RunResult // every attempt that ended, by its end
	Open []RunResult // attempts that run at the end, by host
	End  time.Duration
	// Events is the number of log entries, Steps that of the heap.
	Events, Steps int
	// Folded is how many entries admission, slotter and agents folded. Samples is how many samples of
	// telemetry admission and slotter received.
	Folded, Samples int
	// Digest is the SHA-256 of the log's subjects, bodies and times.
	Digest [32]byte
	// Harvested is the CPU that batch tasks used, Idle what the primaries
	// left, in core-seconds.
	Harvested, Idle float64
}

// JobResult is one job's life.
type JobResult struct {
	ID, Name  string
	Submitted time.Duration
	// State is the job's phase in the ledger when the run ended: finished, failed, cancelled or rejected,
	// or that of a job that was still open.
	State    string
	Code     string        // why it was rejected or failed
	Why      string        // why it was rejected, for people
	Deadline time.Duration // 0 for none
	Promised time.Duration // predicted end at admission, 0 for none
	Started  time.Duration // of its first task, 0 for never
	Ended    time.Duration // 0 for not yet
}

// Late is how long after its deadline the job ended, 0 if in time; one that
// has not ended counts as ended now.
func (j *JobResult) Late(now time.Duration) time.Duration {
	end := j.Ended
	if end == 0 {
		end = now
	}
	if j.Deadline == 0 || end <= j.Deadline {
		return 0
	}
	return end - j.Deadline
}

// RunResult is one attempt.
type RunResult struct {
	Job, Type   string // Type is the model's name
	Stage, Task uint32
	Host        string
	Outcome     string // "committed", "finished" (not the first), "evicted", "failed", "revoked", "open"
	Rule        string // of the assignment
	Start, End  time.Duration
	Known       float64 // residual when it was assigned
	Residual    float64 // mean over the run
	Expected    float64 // seconds, when it was assigned
	CPU         float64 // core-seconds
	// Factor multiplies the type's true seconds for this task, for its input and its variance; 0
	// for a type without a Truth.
	Factor float64
}
