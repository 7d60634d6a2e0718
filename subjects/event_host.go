package subjects

// Facts about a host.

// Joined is a host's incarnation: its stream sequence is the host's term, and
// facts of an older one are void.
type Joined struct {
	Host     string   `msgpack:"-"`
	Instance string   `msgpack:"instance"` // of the agent: each start has another one
	Boot     string   `msgpack:"boot"`     // the kernel's boot id: after another one nothing is left of earlier tasks
	Cores    uint32   `msgpack:"cores"`    // of the whole machine
	Slots    uint32   `msgpack:"slots"`    // tasks of one core that may run at once
	Ahead    uint32   `msgpack:"ahead"`    // places where short tasks wait for a slot; 0 on older hosts
	Memory   int64    `msgpack:"memory"`   // bytes that batch tasks may use together
	Labels   []string `msgpack:"labels"`   // sorted key=value pairs
	URL      string   `msgpack:"url"`      // address of outputs and logs
	Token    string   `msgpack:"token"`    // bearer token of URL, as agents wrote it before there were tickets
	Class    string   `msgpack:"class"`    // how the primary is protected, for people
	Version  string   `msgpack:"version"`  // of lull
	// Tenant is the owner of the host's primary; "" on hosts that name none. It counts where no `pool.owned` lists tenants.
	Tenant string `msgpack:"tenant,omitempty"`
	// TaskUser is the user (uid:gid) that runs tasks and publishes results; "" from older hosts.
	TaskUser string `msgpack:"task_user,omitempty"`
	// Format is the newest form of messages that the agent understands.
	Format uint32 `msgpack:"format,omitempty"`
	// ReserveCPU is how many cores the host keeps free beside its primary and batch work; 0 also on
	// older hosts.
	ReserveCPU uint32 `msgpack:"reserve_cpu,omitempty"`
	// ReserveMemory is the available memory, in bytes, that the host keeps free for its primary.
	ReserveMemory int64 `msgpack:"reserve_memory,omitempty"`
	// NIC is the speed of the host's network card that the kernel reports, in bytes/s; 0 if it reports
	// none, and from hosts of earlier releases.
	NIC float64 `msgpack:"nic,omitempty"`
	// Probe says that the agent measures the network when it is asked to (`lull agent --probe`).
	Probe bool `msgpack:"probe,omitempty"`
	// Machine is the host name of the machine on which the agent runs, which the host's name may differ from;
	// "" from hosts of earlier releases. A client on this machine sees the folders that the agent sees.
	Machine string `msgpack:"machine,omitempty"`
}

// Left says that a host's agent stopped on purpose.
type Left struct {
	Host string `msgpack:"-"`
	Term uint64 `msgpack:"term"` // the host's incarnation
}

// Lost says that a host was silent for too long: its tasks may run elsewhere.
type Lost struct {
	Host    string  `msgpack:"-"`
	Term    uint64  `msgpack:"term"`    // the host's incarnation
	Silence float64 `msgpack:"silence"` // seconds since its last heartbeat
	// Forget gives up a host that left or was lost, with its attempts, because it has been away for
	// so long that it is not expected back. Its later reports on them are void, and lists leave it
	// out until it joins again.
	Forget bool `msgpack:"forget,omitempty"`
}

// Paused takes a host's batch work off its CPU until Resumed.
type Paused struct {
	Host string `msgpack:"-"`
	User string `msgpack:"-" json:",omitempty"` // the operator, "" for none; proven if `vouched` of admission's `led` is set
	Who  string `msgpack:"who,omitempty"`       // the operator that the message names: a claim
	Why  string `msgpack:"why,omitempty"`       // the operator's reason
}

// Resumed ends Paused and Drained.
type Resumed struct {
	Host string `msgpack:"-"`
	User string `msgpack:"-" json:",omitempty"` // the operator, "" for none; proven if `vouched` of admission's `led` is set
	Who  string `msgpack:"who,omitempty"`       // the operator that the message names: a claim
}

// Drained makes a host finish its tasks and get no more. With Forget, an operator declares that a
// host which left or was lost never comes back, and its attempts are given up, as by Lost.Forget.
type Drained struct {
	Host string `msgpack:"-"`
	User string `msgpack:"-" json:",omitempty"` // the operator, "" for none; proven if `vouched` of admission's `led` is set
	Who  string `msgpack:"who,omitempty"`       // the operator that the message names: a claim
	Why  string `msgpack:"why,omitempty"`       // the operator's reason
	// Forget declares that a host which left or was lost never comes back. Its attempts are given up.
	Forget bool `msgpack:"forget,omitempty"`
}

// Harmed says what batch work used on a host over some minutes, and what that cost the primary.
type Harmed struct {
	Host      string  `msgpack:"-"`
	Term      uint64  `msgpack:"term"`             // the host's incarnation
	Tenant    string  `msgpack:"tenant,omitempty"` // the primary's owner: a claim, in place of which that of `pool.owned` or `host.joined` counts
	From      int64   `msgpack:"from"`             // begin of the interval
	To        int64   `msgpack:"to"`               // end of the interval
	Harvested float64 `msgpack:"harvested"`        // CPU seconds that batch work used
	Primary   float64 `msgpack:"primary"`          // CPU seconds that the primary used
	// Delay is how long the primary's threads waited for a CPU because batch
	// work ran, in seconds.
	Delay  float64 `msgpack:"delay"`
	Sensor string  `msgpack:"sensor"` // how Delay was measured
	// Budget is the Delay that is allowed per CPU second of the primary.
	Budget    float64 `msgpack:"budget"`
	Evictions uint32  `msgpack:"evictions,omitempty"` // attempts that were ended for the primary
}
