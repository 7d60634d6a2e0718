package subjects

// What listings ask of the slotter, by core request and reply, in msgpack, so that a command
// need not fold the log. Slotters of before Format 2 do not answer these.
const (
	AskHosts  = "hosts"  // HostsAsk → HostsAnswer
	AskModels = "models" // ModelsAsk → ModelsAnswer
	AskQueues = "queues" // QueuesAsk → QueuesAnswer
)

// Folded heads the answers to listings.
type Folded struct {
	Error string `msgpack:"error,omitempty"`
	// Seq is the last entry of the log that the answer takes in. A client that reads what it
	// has just written compares this with the end of the log.
	Seq uint64 `msgpack:"seq"`
}

// Head returns the head of an answer.
func (f *Folded) Head() *Folded { return f }

// HostsAsk asks for a page of hosts, by name.
type HostsAsk struct {
	After string `msgpack:"after,omitempty"` // the last host of the page before
}

// HostsAnswer is a page of hosts, by name.
type HostsAnswer struct {
	Folded
	Hosts []HostLine `msgpack:"hosts"`
	// Next is the After of the next page, "" if there is none.
	Next string `msgpack:"next,omitempty"`
}

// HostLine is a host as lists show it.
type HostLine struct {
	Host    string       `msgpack:"host"`
	State   string       `msgpack:"state"`          // up, paused, draining, silent, left, lost
	Gone    bool         `msgpack:"gone,omitempty"` // it left or was lost
	HeldBy  *Attribution `msgpack:"held_by,omitempty"`
	Slots   uint32       `msgpack:"slots"`
	Busy    uint32       `msgpack:"busy"`
	Cores   uint32       `msgpack:"cores"`
	Memory  int64        `msgpack:"memory"`
	Labels  []string     `msgpack:"labels,omitempty"` // sorted
	Class   string       `msgpack:"class,omitempty"`
	Version string       `msgpack:"version,omitempty"`
	Since   int64        `msgpack:"since"` // Unix nanoseconds
	Tenant  string       `msgpack:"tenant,omitempty"`
	// TenantClass is the class of the host's tenant, "" if it has none yet.
	TenantClass string `msgpack:"tenant_class,omitempty"`
	// Heard is the time of the host's last heartbeat, in Unix nanoseconds, and Silence how many
	// seconds that was before the answer. Both are 0 if the answer was made from the log alone and
	// the host is present, because heartbeats are not in the log.
	Heard   int64   `msgpack:"heard,omitempty"`
	Silence float64 `msgpack:"silence,omitempty"`
}

// Silent is the state of a host that did not leave and of which beats are missing. It is not
// yet declared lost.
const Silent = "silent"

// ModelsAsk asks for a page of models of task times, by name.
type ModelsAsk struct {
	After string `msgpack:"after,omitempty"` // the last model of the page before
}

// ModelsAnswer is a page of models, by name.
type ModelsAnswer struct {
	Folded
	Models []ModelLine `msgpack:"models"`
	// Types are the types of jobs that were placed, by name. The first page has all of them.
	Types []TypeLine `msgpack:"types,omitempty"`
	// Next is the After of the next page, "" if there is none.
	Next string `msgpack:"next,omitempty"`
}

// TypeLine is how well the times of a type's placed jobs were predicted.
type TypeLine struct {
	Type      string  `msgpack:"type" json:"type"`
	Runs      uint32  `msgpack:"runs" json:"jobs"`
	Predicted float64 `msgpack:"predicted" json:"predicted"` // seconds of the last one
	True      float64 `msgpack:"true" json:"took"`
	Error     float64 `msgpack:"error" json:"error"`           // mean of the last four, as a share of the true time
	Unfit     bool    `msgpack:"unfit,omitempty" json:"unfit"` // it is placed no more, until a prediction fits
}

// ModelLine is a model with its name.
type ModelLine struct {
	Model  string  `msgpack:"model"`
	Fitted *Fitted `msgpack:"fitted"`
}
