package topology

// Aggregation is a switch above racks.
type Aggregation struct {
	Name     string
	Up, Down float64 // bytes/s
}

// Rack is a group of hosts behind one uplink.
type Rack struct {
	Name     string
	Up, Down float64 // bytes/s
	// Above is the aggregation that the uplink leads to: its index plus one. 0 is the core.
	Above int
}

// Host is a host with its NIC and disk.
type Host struct {
	Name    string
	Rack    int     // index among the racks
	Out, In float64 // bytes/s of the NIC
	Disk    float64 // bytes/s; 0 means that the disk is no limit
}

// Tree is a network: a core, aggregations below it, racks and hosts. A link is one direction of the
// uplink of a rack or an aggregation, known by its index.
type Tree struct {
	Aggregations []Aggregation
	Racks        []Rack
	Hosts        []Host
}

// Links is the number of links above the hosts, each direction counted.
func (t *Tree) Links() int { return 2 * (len(t.Racks) + len(t.Aggregations)) }

// Up returns the link that leads up from a rack.
func (t *Tree) Up(rack int) int { return 2 * rack }

// Down returns the link that leads down to a rack.
func (t *Tree) Down(rack int) int { return 2*rack + 1 }

// Capacity returns a link's rate in bytes/s.
func (t *Tree) Capacity(link int) float64 { return *t.rate(link) }

// rate returns a pointer to a link's rate. Even links lead up, odd ones down; those of racks come first.
func (t *Tree) rate(link int) *float64 {
	var up, down *float64
	if i := link / 2; i < len(t.Racks) {
		up, down = &t.Racks[i].Up, &t.Racks[i].Down
	} else {
		a := &t.Aggregations[i-len(t.Racks)]
		up, down = &a.Up, &a.Down
	}
	if link%2 == 0 {
		return up
	}
	return down
}

// Path appends to path the links that data crosses from one rack to another. Within a rack it crosses
// none.
func (t *Tree) Path(path []int, from, to int) []int {
	if from == to {
		return path
	}
	path = append(path, t.Up(from), t.Down(to))
	a, b := t.Racks[from].Above, t.Racks[to].Above
	if a == b {
		return path
	}
	if a > 0 {
		path = append(path, 2*(len(t.Racks)+a-1))
	}
	if b > 0 {
		path = append(path, 2*(len(t.Racks)+b-1)+1)
	}
	return path
}

// clone copies the tree.
func (t *Tree) clone() *Tree {
	return &Tree{
		Aggregations: append([]Aggregation(nil), t.Aggregations...),
		Racks:        append([]Rack(nil), t.Racks...),
		Hosts:        append([]Host(nil), t.Hosts...),
	}
}
