package subjects

// AskJobs asks for a list of jobs, by core request and reply, in msgpack: JobsAsk →
// JobsAnswer, answered by admission. Folding the log instead takes seconds with a
// hundred thousand jobs.
const AskJobs = "jobs"

// OpenJobs stands in JobsAsk.States for every state of a job that has not ended.
const OpenJobs = "open"

// JobsAsk asks for jobs, the newest first.
type JobsAsk struct {
	Job    string   `msgpack:"job,omitempty"`    // prefix of the ids wanted, "" for all
	Whole  bool     `msgpack:"whole,omitempty"`  // Job is all of an id
	States []string `msgpack:"states,omitempty"` // only in one of these; none means all
	Queue  string   `msgpack:"queue,omitempty"`  // only of this queue, "" for all
	Name   string   `msgpack:"name,omitempty"`   // only with such a name, in the form of path.Match; "" for all
	Since  int64    `msgpack:"since,omitempty"`  // only submitted then or later, Unix nanoseconds; an earlier release ignores it
	Limit  uint32   `msgpack:"limit,omitempty"`  // most jobs in the answer, 0 for as many as it holds
	// Before asks for jobs that were submitted before this one, by its place in
	// the log; 0 for the newest.
	Before uint64 `msgpack:"before,omitempty"`
}

// JobsAnswer lists jobs, the newest first.
type JobsAnswer struct {
	Error string    `msgpack:"error,omitempty"`
	Jobs  []JobLine `msgpack:"jobs"`
	// Next is the Before of the next page, 0 if there is none.
	Next  uint64 `msgpack:"next,omitempty"`
	Known uint32 `msgpack:"known"` // number of all jobs, asked for or not
	// Memory is the memory use of the answering process, zero if it does not
	// measure it.
	Memory Memory `msgpack:"memory"`
}

// JobLine is a job as lists show it. Times are Unix nanoseconds, 0 for none.
type JobLine struct {
	Job        string  `msgpack:"job"`
	Seq        uint64  `msgpack:"seq"` // its place in the log
	Name       string  `msgpack:"name"`
	State      string  `msgpack:"state"`
	Ended      int64   `msgpack:"ended,omitempty"`
	Type       string  `msgpack:"type,omitempty"`
	Queue      string  `msgpack:"queue,omitempty"` // as the job names it
	User       string  `msgpack:"user,omitempty"`
	Client     string  `msgpack:"client,omitempty"`
	Done       uint32  `msgpack:"done,omitempty"`
	Running    uint32  `msgpack:"running,omitempty"`
	Cancelled  uint32  `msgpack:"cancelled,omitempty"` // tasks
	Totals     Totals  `msgpack:"totals"`
	Lost       float64 `msgpack:"lost,omitempty"` // CPU seconds of work that evictions cost: see Evicted.Lost
	Submitted  int64   `msgpack:"submitted,omitempty"`
	Deadline   int64   `msgpack:"deadline,omitempty"`
	Finish     int64   `msgpack:"finish,omitempty"`  // predicted
	Guessed    bool    `msgpack:"guessed,omitempty"` // Finish is a guess: nothing is known of how long tasks of one of its stages take
	Slack      float64 `msgpack:"slack,omitempty"`   // seconds
	Endangered bool    `msgpack:"endangered,omitempty"`
	Late       bool    `msgpack:"late,omitempty"`     // its deadline, a wish, is not promised
	Earliest   int64   `msgpack:"earliest,omitempty"` // safe deadline of a rejected job
	Code       string  `msgpack:"code,omitempty"`
	Text       string  `msgpack:"text,omitempty"`
	Output     string  `msgpack:"output,omitempty"`
}
