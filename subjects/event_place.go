package subjects

// Where jobs that move data run. Readers that are older pass over these kinds: they advise where tasks
// run, and nothing else follows from them.

// Wired is the network between a pool's hosts, as an operator describes it: the whole of it, in place
// of what was said before. Without racks nothing is known. The rack of a host is its label `rack=`. Rates
// are bytes/s.
type Wired struct {
	User string `msgpack:"-" json:",omitempty"` // the operator, "" for none; proven if Led.Vouched
	// Racks by name.
	Racks []WiredRack `msgpack:"racks,omitempty"`
	// Above are the switches between racks and core, by name; none if racks lead to the core.
	Above []WiredLink `msgpack:"above,omitempty"`
	// NICs has the NICs of hosts that read a wrong speed themselves, by name of the host.
	NICs []WiredLink `msgpack:"nics,omitempty"`
	Who  string      `msgpack:"who,omitempty"` // a claim
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
	Name string  `msgpack:"name"`
	Up   float64 `msgpack:"up"`
	Down float64 `msgpack:"down"`
}

// Placed names the hosts on which a job's tasks run, because its stages exchange data (TARA), with what
// the choice was made from. The placer writes it before the job's first task, and again when hosts of it
// are gone.
type Placed struct {
	Job string `msgpack:"-"`
	// Hosts by name. None: the tasks run on every host, for the reason in Why.
	Hosts []PlacedHost `msgpack:"hosts,omitempty"`
	Why   string       `msgpack:"why,omitempty"`
	// Objective is what the hosts were chosen by: fast, cheap, spread or pack.
	Objective string `msgpack:"objective"`
	// Seconds is how long the job is predicted to take there from its first task on, 0 if that is unknown.
	Seconds   float64 `msgpack:"seconds,omitempty"`
	Harvested float64 `msgpack:"harvested,omitempty"` // CPU seconds that its tasks are predicted to have
	Moving    float64 `msgpack:"moving,omitempty"`    // share of its slots' time that goes into moving data
	// Baselines is what rules that do not ask would have reached, and running anywhere.
	Baselines []PlacedBy `msgpack:"baselines,omitempty"`
	// Bound is a time that the job takes at least on any hosts, in seconds.
	Bound       float64 `msgpack:"bound,omitempty"`
	Seed        uint64  `msgpack:"seed"`                  // of the search
	Evaluations uint32  `msgpack:"evaluations,omitempty"` // sets of hosts that were predicted
	// Known is the last entry of the log that the choice knew of.
	Known uint64 `msgpack:"known"`
	// Left is how many hosts were left out: without a rack of the topology, or without fresh usage.
	Left uint32 `msgpack:"left,omitempty"`
	// Links are the rates that the job is predicted to need of links above the hosts. Those that are
	// placed later reckon with them.
	Links []WiredLink `msgpack:"links,omitempty"`
	// Anew is why the job is placed again: lost. "" for the first time.
	Anew string `msgpack:"anew,omitempty"`
}

// PlacedHost is a host with the slots that the job is predicted to use there.
type PlacedHost struct {
	Host  string `msgpack:"host"`
	Slots uint32 `msgpack:"slots"` // that the job is predicted to use there
}

// PlacedBy is how long the job is predicted to take on the hosts that a policy chooses.
type PlacedBy struct {
	Policy  string  `msgpack:"policy" json:"policy"`
	Seconds float64 `msgpack:"seconds" json:"seconds"`
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
