package subjects

// AskJob asks for one job as it is shown to people, by core request and reply, in msgpack:
// JobAsk → JobAnswer, answered by the slotter. Slotters of before Format 2 do not answer it.
const AskJob = "job"

// JobAsk asks for one job.
type JobAsk struct {
	Job string `msgpack:"job"` // its id, or the beginning of one if no other job's id begins so
}

// JobAnswer is a job, or neither if no job goes by that name.
type JobAnswer struct {
	Folded
	Job   *JobDetail `msgpack:"job,omitempty"`
	Alike []string   `msgpack:"alike,omitempty"` // ids that begin so, in place of the job: some of several
}

// JobDetail is a job with its stages, and what it waits for.
type JobDetail struct {
	JobLine
	By     *Attribution `msgpack:"by,omitempty"` // of the last cancel or retry
	Stages []StageLine  `msgpack:"stages,omitempty"`
	// Dead is a task that failed for good, and with it the job.
	Dead  *TaskID `msgpack:"dead,omitempty"`
	Kept  bool    `msgpack:"kept,omitempty"`  // a finished job's hosts keep files of its tasks
	Empty bool    `msgpack:"empty,omitempty"` // nothing was there to be published into Output
	Pool  JobPool `msgpack:"pool"`
	// Awaits are the jobs that must end before its tasks run. Unmet is why one of them can no longer end as it
	// should, "" if all can: the job is about to be cancelled.
	Awaits []AwaitLine `msgpack:"awaits,omitempty"`
	Unmet  string      `msgpack:"unmet,omitempty"`
}

// AwaitLine is a job that another one waits for.
type AwaitLine struct {
	Job    string `msgpack:"job" json:"job"`
	On     string `msgpack:"on,omitempty" json:"on,omitempty"` // failed or any, "" for finished
	Finish int64  `msgpack:"finish,omitempty" json:"-"`        // its predicted end, Unix nanoseconds; 0 if unknown
}

// StageLine is a stage, its tasks counted.
type StageLine struct {
	Name       string   `msgpack:"name"`
	State      string   `msgpack:"state"` // open, done, failed, skipped
	Command    []string `msgpack:"command,omitempty"`
	Tasks      uint32   `msgpack:"tasks"`
	Waiting    uint32   `msgpack:"waiting,omitempty"`
	Running    uint32   `msgpack:"running,omitempty"`
	Done       uint32   `msgpack:"done,omitempty"`
	Dead       uint32   `msgpack:"dead,omitempty"` // failed, with no retries left, or cancelled
	Cancelled  uint32   `msgpack:"cancelled,omitempty"`
	Evicted    uint32   `msgpack:"evicted,omitempty"`
	Failed     uint32   `msgpack:"failed,omitempty"`
	Partitions uint32   `msgpack:"partitions,omitempty"`
	CPU        uint32   `msgpack:"cpu,omitempty"`    // cores a task, rounded up
	Part       uint32   `msgpack:"part,omitempty"`   // of the last of these, in thousandths; 0 for all of it
	Memory     int64    `msgpack:"memory,omitempty"` // bytes a task
	WaitsFor   []string `msgpack:"waits,omitempty"`  // stages that it waits for, by name
}

// JobPool is what a job's pool offers it now.
type JobPool struct {
	Paused   bool         `msgpack:"paused,omitempty"`
	PausedBy *Attribution `msgpack:"paused_by,omitempty"`
	Up       uint32       `msgpack:"up,omitempty"`     // hosts that joined and are not gone
	Open     uint32       `msgpack:"open,omitempty"`   // of them, those that may be given tasks
	Frozen   bool         `msgpack:"frozen,omitempty"` // every host that runs tasks of the job is paused, or none does
	AtOnce   uint32       `msgpack:"at_once,omitempty"`
	Before   uint32       `msgpack:"before,omitempty"` // jobs of its queue submitted before it, counted where AtOnce limits them
	CPU      CPUSum       `msgpack:"cpu"`
	// Slots is how many slots the open hosts have, Busy how many of them tasks hold. Next is
	// when the first of these is predicted to be free, Unix nanoseconds, 0 if that is unknown.
	Slots uint32 `msgpack:"slots,omitempty"`
	Busy  uint32 `msgpack:"busy,omitempty"`
	Next  int64  `msgpack:"next,omitempty"`
}

// CPUSum is how many cores the primaries and the tasks of some hosts use.
type CPUSum struct {
	Hosts     uint32  `msgpack:"hosts,omitempty"` // that reported it lately
	Cores     uint32  `msgpack:"cores,omitempty"`
	Primary   float64 `msgpack:"primary,omitempty"`
	Harvested float64 `msgpack:"harvested,omitempty"`
	// Usual is what the primaries leave idle on average, 0 if they were not observed for long.
	Usual float64 `msgpack:"usual,omitempty"`
}

// usageFresh is the age in nanoseconds up to which a host's last sample is current: five times the
// second between samples.
const usageFresh = 5e9

// usualAfter is the number of seconds of observation after which a host's average is usable.
const usualAfter = 600

// Fresh reports whether the sample is current at a time, in Unix nanoseconds.
func (u *Usage) Fresh(now int64) bool {
	age := now - u.At
	return -usageFresh <= age && age <= usageFresh
}

// Add counts a host's last sample.
func (c *CPUSum) Add(u *Usage) {
	c.Hosts++
	c.Cores += u.Cores
	c.Primary += u.Primary
	c.Harvested += u.Batch
	if u.Observed >= usualAfter {
		c.Usual += u.Usual
	}
}
