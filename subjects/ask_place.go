package subjects

// AskPlan asks the placer on which hosts it would place a job: PlanAsk → PlanAnswer, in msgpack. Ask
// again with the same id until the answer is Done. Nothing is written down.
const AskPlan = "plan"

// PlanAsk is a document that is not submitted.
type PlanAsk struct {
	// ID is the client's name for the request. The placer remembers the last few only.
	ID string `msgpack:"id"`
	// Doc is the document as it would be submitted.
	Doc []byte `msgpack:"doc"`
}

// PlanAnswer is where a job would be placed now.
type PlanAnswer struct {
	Error string `msgpack:"error,omitempty" json:"error,omitempty"`
	Done  bool   `msgpack:"done" json:"-"`
	// Why is why the job would not be placed: PlacedLittle and so on; "" if it would be.
	Why       string     `msgpack:"why,omitempty" json:"why,omitempty"`
	Objective string     `msgpack:"objective,omitempty" json:"objective"`
	Racks     []PlanRack `msgpack:"racks,omitempty" json:"racks"` // of the hosts chosen, by name
	Rows      []PlanRow  `msgpack:"rows,omitempty" json:"rows"`   // the choice, and then the baselines
	Bound     float64    `msgpack:"bound,omitempty" json:"bound_seconds"`
	Widest    uint32     `msgpack:"widest,omitempty" json:"widest"` // tasks of the widest stage
	Slots     uint32     `msgpack:"slots,omitempty" json:"slots"`   // of the choice
	// Evaluations is how many sets of hosts were predicted, by Seed.
	Evaluations uint32 `msgpack:"evaluations,omitempty" json:"evaluations"`
	Seed        uint64 `msgpack:"seed,omitempty" json:"seed"`
	Hosts       uint32 `msgpack:"hosts,omitempty" json:"hosts"` // that were looked at
	Left        uint32 `msgpack:"left,omitempty" json:"left_out"`
	// Unknown names stages of which it is not known what they give to their readers.
	Unknown []string `msgpack:"unknown,omitempty" json:"unknown,omitempty"`
}

// PlanRow is what a policy would reach.
type PlanRow struct {
	Policy    string  `msgpack:"policy" json:"policy"`
	Hosts     uint32  `msgpack:"hosts" json:"hosts"`
	Racks     uint32  `msgpack:"racks" json:"racks"`
	Seconds   float64 `msgpack:"seconds" json:"seconds"`
	Harvested float64 `msgpack:"harvested" json:"harvested_seconds"`
	Moving    float64 `msgpack:"moving" json:"moving"`
}

// PlanRack is the part of a choice in a rack.
type PlanRack struct {
	Rack  string       `msgpack:"rack" json:"rack"`
	Hosts []PlacedHost `msgpack:"hosts" json:"hosts"`
}

// AskLinks asks the placer what links have left: LinksAsk → LinksAnswer, in msgpack.
const AskLinks = "links"

// LinksAsk asks for the links above hosts, and with Hosts for those of hosts too.
type LinksAsk struct {
	Hosts bool `msgpack:"hosts,omitempty"`
}

// LinksAnswer is the network as the placer sees it. Rates are bytes/s.
type LinksAnswer struct {
	Error   string     `msgpack:"error,omitempty" json:"error,omitempty"`
	Racks   []LinkLine `msgpack:"racks,omitempty" json:"racks"`
	Above   []LinkLine `msgpack:"above,omitempty" json:"above"`
	Hosts   []LinkLine `msgpack:"hosts,omitempty" json:"hosts"`
	Missing []LeftOut  `msgpack:"missing,omitempty" json:"left_out"`
}

// LinkLine is a link with what it has left.
type LinkLine struct {
	Name string `msgpack:"name" json:"name"`
	// Under is the rack of a host, or the switch above a rack; "" for the core.
	Under    string  `msgpack:"under,omitempty" json:"under,omitempty"`
	Up       float64 `msgpack:"up" json:"up"`
	Down     float64 `msgpack:"down" json:"down"`
	UpLeft   float64 `msgpack:"up_left" json:"up_left"`
	DownLeft float64 `msgpack:"down_left" json:"down_left"`
	// UpLearnt and DownLearnt are what the link counts for, where shuffles showed less than is declared.
	UpLearnt   float64 `msgpack:"up_learnt,omitempty" json:"up_learnt,omitempty"`
	DownLearnt float64 `msgpack:"down_learnt,omitempty" json:"down_learnt,omitempty"`
	// Hosts is how many hosts of a rack were heard of.
	Hosts uint32 `msgpack:"hosts,omitempty" json:"hosts,omitempty"`
	// UpPromised and DownPromised are what placed jobs are predicted to move. It is not in the others.
	UpPromised   float64 `msgpack:"up_promised,omitempty" json:"up_promised"`
	DownPromised float64 `msgpack:"down_promised,omitempty" json:"down_promised"`
}

// LeftOut is a host on which no job is placed.
type LeftOut struct {
	Host string `msgpack:"host" json:"host"`
	Why  string `msgpack:"why" json:"why"`
}
