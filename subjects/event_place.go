package subjects

// Where jobs that move data run. Readers that are older pass over these kinds: they advise where tasks
// run, and nothing else follows from them.

// Wired is the network between a pool's hosts, as an operator describes it: the whole of it, in place
// of what was said before. Without racks nothing is known. The rack of a host is its label `rack=`. Rates
// are bytes/s.
type Wired struct {
	User string `msgpack:"-" json:",omitempty"` // the operator, "" for none; proven if `vouched` of admission's `led` is set
	// Racks are the racks, by name, each with its uplink.
	Racks []WiredRack `msgpack:"racks,omitempty"`
	// Above are the switches between racks and core, by name, each with its uplink; none if racks lead
	// to the core.
	Above []WiredLink `msgpack:"above,omitempty"`
	// NICs are the network cards of hosts whose kernels report a wrong speed, by the host's name.
	NICs []WiredLink `msgpack:"nics,omitempty"`
	Who  string      `msgpack:"who,omitempty"` // the operator that the message names: a claim
}

// DefaultNIC is the rate each way, in bytes/s, of a NIC of which neither the kernel nor an operator says
// any: 1 Gbit/s.
const DefaultNIC = 125e6

// WiredRack is a group of hosts behind one uplink.
type WiredRack struct {
	WiredLink
	// Above is the switch that the uplink leads to; "" for the core.
	Above string `msgpack:"above,omitempty"`
}

// WiredLink is a link that leads up from what has the name, with the rate of each direction.
type WiredLink struct {
	Name string  `msgpack:"name"` // of the rack, switch or host below the link
	Up   float64 `msgpack:"up"`   // bytes/s away from it
	Down float64 `msgpack:"down"` // bytes/s towards it
}

// Placed names the hosts on which a job's tasks run, because its stages exchange data (TARA), with what
// the choice was made from. The placer writes it before the job's first task, and again when hosts of it
// are gone.
type Placed struct {
	Job string `msgpack:"-"`
	// Hosts are the chosen hosts, by name. With none, the tasks run on every host, for the reason in
	// Why.
	Hosts []PlacedHost `msgpack:"hosts,omitempty"`
	// Why is the reason why no hosts were chosen: little, unknown, unfit, nowhere or gain.
	Why string `msgpack:"why,omitempty"`
	// Objective is what the hosts were chosen by: fast, cheap, spread or pack.
	Objective string `msgpack:"objective"`
	// Seconds is how long the job is predicted to take there from its first task on, 0 if that is unknown.
	Seconds   float64 `msgpack:"seconds,omitempty"`
	Harvested float64 `msgpack:"harvested,omitempty"` // CPU seconds that its tasks are predicted to have
	Moving    float64 `msgpack:"moving,omitempty"`    // share of its slots' time that goes into moving data
	// Baselines are the predicted times on the hosts that simpler rules choose, and on any host
	// (anywhere).
	Baselines []PlacedBy `msgpack:"baselines,omitempty"`
	// Bound is a time, in seconds, that the job takes at least, whatever its hosts.
	Bound       float64 `msgpack:"bound,omitempty"`
	Seed        uint64  `msgpack:"seed"`                  // seed of the search's random numbers
	Evaluations uint32  `msgpack:"evaluations,omitempty"` // how many sets of hosts were compared
	// Known is the sequence of the last entry that the choice took into account.
	Known uint64 `msgpack:"known"`
	Left  uint32 `msgpack:"left,omitempty"` // how many hosts were left out, because they have no rack of the topology or no fresh usage
	// Links are the rates that the job is predicted to need of links above the hosts. Later choices
	// count them as used.
	Links []WiredLink `msgpack:"links,omitempty"`
	// Anew is why the job is placed again: lost. "" for the first time.
	Anew string `msgpack:"anew,omitempty"`
}

// PlacedHost is a host with the slots that the job is predicted to use there.
type PlacedHost struct {
	Host  string `msgpack:"host"`  // its name
	Slots uint32 `msgpack:"slots"` // slots that the job is predicted to use there
}

// PlacedBy is how long the job is predicted to take on the hosts that a policy chooses.
type PlacedBy struct {
	Policy  string  `msgpack:"policy" json:"policy"`   // the rule's name
	Seconds float64 `msgpack:"seconds" json:"seconds"` // predicted time of the job there
}

// Why a job is not placed.
const (
	PlacedLittle  = "little"  // moving data is too small a part of its time
	PlacedUnknown = "unknown" // nothing is known of what its stages give
	PlacedUnfit   = "unfit"   // predictions for its type were too far off
	PlacedNowhere = "nowhere" // no host with a rack has a slot that its tasks may use
	PlacedGain    = "gain"    // its hosts would gain it less than waiting for their slots may cost
)

// PlacedAnywhere stands among the baselines for a job that runs on any host.
const PlacedAnywhere = "anywhere"

// PlacedLost says that a job is placed again because hosts of it are gone.
const PlacedLost = "lost"
