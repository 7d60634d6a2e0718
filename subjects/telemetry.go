package subjects

// Usage is one second of a host, as its monitor saw it. It is soft state: it
// may be lost and is never replayed. CPU is in cores, rates are bytes/s, PSI
// is the share of time (0–1) in which some task stalled, over ten seconds.
type Usage struct {
	Host    string  `msgpack:"-"`
	At      int64   `msgpack:"at"`
	Cores   uint32  `msgpack:"cores"`
	Primary float64 `msgpack:"primary"` // CPU of all that is not lull's
	Batch   float64 `msgpack:"batch"`   // CPU of lull's tasks
	// Idle is cores − primary, averaged over ten seconds: what batch may have.
	Idle float64 `msgpack:"idle"`
	// Usual is what Idle was on average in the last week, over Observed seconds that the
	// host was up. 0 and 0 from a host that does not know it.
	Usual    float64 `msgpack:"usual,omitempty"`
	Observed float64 `msgpack:"observed,omitempty"`

	Memory      int64   `msgpack:"memory"`       // bytes of RAM
	MemoryFree  int64   `msgpack:"memory_free"`  // MemAvailable
	MemoryBatch int64   `msgpack:"memory_batch"` // used by lull's tasks
	DiskRead    float64 `msgpack:"disk_read"`
	DiskWrite   float64 `msgpack:"disk_write"`
	NetIn       float64 `msgpack:"net_in"`
	NetOut      float64 `msgpack:"net_out"`
	// MovedIn and MovedOut are what of that the agent moved itself: inputs that tasks fetch, and outputs
	// that others fetch.
	MovedIn     float64 `msgpack:"moved_in,omitempty"`
	MovedOut    float64 `msgpack:"moved_out,omitempty"`
	CPUPressure float64 `msgpack:"cpu_pressure"`
	MemPressure float64 `msgpack:"mem_pressure"`
	IOPressure  float64 `msgpack:"io_pressure"`
	DiskFree    int64   `msgpack:"disk_free"` // bytes free where lull keeps outputs
	// Running, Runnable and Blocked are how many of the primary's threads were on a CPU, waited for
	// one and slept for a disk, on average (MIMP, Table 1). Sensor is how Runnable was measured; ""
	// if it was not.
	Running  float64 `msgpack:"running,omitempty"`
	Runnable float64 `msgpack:"runnable,omitempty"`
	Blocked  float64 `msgpack:"blocked,omitempty"`
	Sensor   string  `msgpack:"waits,omitempty"`
	// Delay is how long the primary's threads waited for a CPU because batch work ran, per CPU
	// second that they used, over ten seconds. Budget is how long they may wait.
	Delay  float64 `msgpack:"delay,omitempty"`
	Budget float64 `msgpack:"budget,omitempty"`
	// Cap is the cores that the guard allows batch work, when Guarded says why it is fewer than
	// all.
	Cap     float64 `msgpack:"cap,omitempty"`
	Guarded string  `msgpack:"guarded,omitempty"`

	// Age is the seconds since the slowest of these readings was taken: a
	// sample never waits for a slow read, it repeats the last one.
	Age float64 `msgpack:"age"`
}

// Beat is a host's heartbeat. The slotter compares it with the ledger only up
// to Seq: what was assigned later, the host cannot have seen.
type Beat struct {
	Host     string   `msgpack:"-"`
	Term     uint64   `msgpack:"term"`
	Boot     string   `msgpack:"boot"`
	Seq      uint64   `msgpack:"seq"`      // log sequence the host has read
	Attempts []uint64 `msgpack:"attempts"` // attempts it holds, ascending
	Paused   bool     `msgpack:"paused,omitempty"`
	// Full says that the host's disk has no room: it starts nothing.
	Full bool `msgpack:"full,omitempty"`
	// Saved names attempts that wrote to their checkpoint folders, ascending.
	Saved []Saved `msgpack:"saved,omitempty"`
	// Frozen says that the guard stopped the host's tasks for the primary's sake: it
	// starts nothing until they go on.
	Frozen bool `msgpack:"frozen,omitempty"`
}

// Saved says when an attempt last wrote to its checkpoint folder. What it did before is not lost
// if it ends.
type Saved struct {
	Attempt uint64 `msgpack:"attempt"`
	At      int64  `msgpack:"at"` // Unix nanoseconds, by the log's clock
}

// Telemetry is a Usage, a Beat or a Speeds.
type Telemetry interface {
	// from gives the tokens of the sample's subject after the pool.
	from() (about, host string)
}

func (u *Usage) from() (about, host string) { return "usage", u.Host }
func (b *Beat) from() (about, host string)  { return "beat", b.Host }
