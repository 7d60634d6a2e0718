package subjects

// Facts about a host.

// Joined is a host's incarnation: its stream sequence is the host's term, and
// facts of an older one are void.
type Joined struct {
	Host     string   `msgpack:"-"`
	Instance string   `msgpack:"instance"` // of the agent: each start is another one
	Boot     string   `msgpack:"boot"`     // kernel boot id: another one means that nothing survived
	Cores    uint32   `msgpack:"cores"`    // all of the machine
	Slots    uint32   `msgpack:"slots"`    // tasks of one core that may run at once
	Ahead    uint32   `msgpack:"ahead"`    // places where short tasks wait for a slot; an older host has none
	Memory   int64    `msgpack:"memory"`   // bytes that batch tasks may share
	Labels   []string `msgpack:"labels"`   // sorted key=value pairs
	URL      string   `msgpack:"url"`      // where outputs and logs are read
	Token    string   `msgpack:"token"`    // bearer token of URL, as agents wrote it before there were tickets
	Class    string   `msgpack:"class"`    // how the primary is protected, for people
	Version  string   `msgpack:"version"`  // of lull
	// Tenant names the owner of the host's primary; "" on hosts that do not say.
	Tenant string `msgpack:"tenant,omitempty"`
	// TaskUser is the user (uid:gid) that runs tasks and publishes results; "" from older hosts.
	TaskUser string `msgpack:"task_user,omitempty"`
	Format   uint32 `msgpack:"format,omitempty"` // that the agent understands: see Format
	// ReserveCPU is how many cores the host keeps free beside its primary and batch work:
	// see package room. 0: none, or an older host that does not say it.
	ReserveCPU uint32 `msgpack:"reserve_cpu,omitempty"`
	// ReserveMemory is the available memory, in bytes, that the host keeps free for its primary.
	ReserveMemory int64 `msgpack:"reserve_memory,omitempty"`
	// NIC is what the kernel says of the speed of the host's network, in bytes/s; 0 if it says nothing,
	// and from hosts of earlier releases.
	NIC float64 `msgpack:"nic,omitempty"`
	// Probe says that the agent measures the network when it is asked to: see package probing.
	Probe bool `msgpack:"probe,omitempty"`
	// Machine is the host name of the machine on which the agent runs, which the host's name may differ from;
	// "" from hosts of earlier releases. A client on this machine sees the folders that the agent sees.
	Machine string `msgpack:"machine,omitempty"`
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
	// Forget gives up a host that left or was lost, with its attempts, because it has been away for
	// so long that it is not expected back. Its later reports on them are void, and lists leave it
	// out until it joins again.
	Forget bool `msgpack:"forget,omitempty"`
}

// Paused takes a host's batch work off its CPU until Resumed.
type Paused struct {
	Host string `msgpack:"-"`
	User string `msgpack:"-" json:",omitempty"` // the operator, "" for none; proven if Led.Vouched
	Who  string `msgpack:"who,omitempty"`       // a claim
	Why  string `msgpack:"why,omitempty"`
}

// Resumed ends Paused and Drained.
type Resumed struct {
	Host string `msgpack:"-"`
	User string `msgpack:"-" json:",omitempty"` // the operator, "" for none; proven if Led.Vouched
	Who  string `msgpack:"who,omitempty"`       // a claim
}

// Drained makes a host finish its tasks and get no more. With Forget, an operator declares that a
// host which left or was lost never comes back, and its attempts are given up, as by Lost.Forget.
type Drained struct {
	Host   string `msgpack:"-"`
	User   string `msgpack:"-" json:",omitempty"` // the operator, "" for none; proven if Led.Vouched
	Who    string `msgpack:"who,omitempty"`       // a claim
	Why    string `msgpack:"why,omitempty"`
	Forget bool   `msgpack:"forget,omitempty"`
}

// Harmed says what batch work gave and took on a host over some minutes. Times
// are CPU seconds unless they say otherwise.
type Harmed struct {
	Host      string  `msgpack:"-"`
	Term      uint64  `msgpack:"term"`
	Tenant    string  `msgpack:"tenant,omitempty"` // the primary's owner
	From      int64   `msgpack:"from"`             // Unix nanoseconds
	To        int64   `msgpack:"to"`               // Unix nanoseconds
	Harvested float64 `msgpack:"harvested"`        // CPU that batch work used
	Primary   float64 `msgpack:"primary"`          // CPU that the primary used
	// Delay is how long the primary's threads waited for a CPU because batch
	// work ran, in seconds.
	Delay  float64 `msgpack:"delay"`
	Sensor string  `msgpack:"sensor"` // how Delay was measured
	// Budget is the Delay that is allowed per CPU second of the primary.
	Budget    float64 `msgpack:"budget"`
	Evictions uint32  `msgpack:"evictions,omitempty"` // for the primary's sake
}
