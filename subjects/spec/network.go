package spec

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/goccy/go-yaml/ast"
)

// Network is what a topology file says of the links between hosts. Rates are bytes/s.
type Network struct {
	Racks    []Rack
	Switches []Link
}

// Link is a link that leads up from what has the name.
type Link struct {
	Name     string
	Up, Down float64
	above    string // of a switch: only a mistake
}

// Rack is a rack with its uplink, and the NICs of its hosts of which the kernel's word is wrong.
type Rack struct {
	Link
	Above string // switch, "" for the core
	NICs  []Link
}

// ParseNetwork reads a topology file, in YAML or JSON. Errors are of type *Error.
func ParseNetwork(doc []byte) (*Network, error) {
	root, err := tree(doc)
	if err != nil {
		return nil, err
	}
	n := &networkReader{above: map[string]value{}, hosts: map[string]string{}}
	if err := (value{doc: &Doc{source: doc, root: root}, node: root}).fields(n.fields()...); err != nil {
		return nil, err
	}
	if len(n.Racks) == 0 {
		return nil, faultf("racks", "there is none: name the racks with their uplinks, or forget the network with lull topology unset")
	}
	return &n.Network, n.checkLinks()
}

type networkReader struct {
	Network
	above map[string]value // where a rack or switch names the switch above it, by "rack NAME", "switch NAME"
	hosts map[string]string
}

// maxRacks bounds the racks and the switches of a file.
const maxRacks = 4096

func (n *networkReader) fields() []field {
	return []field{{name: "racks", read: n.readRacks}, {name: "switches", read: n.readSwitches}}
}

func (n *networkReader) readRacks(v value) error {
	return v.list(func(i int, v value) error {
		if i == maxRacks {
			return v.faultf("there are more than %d racks", maxRacks)
		}
		n.Racks = append(n.Racks, Rack{})
		r := &n.Racks[i]
		fields := append(linkFields(&r.Link), field{name: "switch", read: func(v value) (err error) {
			r.Above, err = linkName(v)
			n.above["rack "+r.Name] = v
			return err
		}}, field{name: "nics", read: func(v value) error { return n.readNICs(r, v) }})
		if err := v.fields(fields...); err != nil {
			return err
		}
		twice := slices.ContainsFunc(n.Racks[:i], func(o Rack) bool { return o.Name == r.Name })
		return r.check(v, "rack", twice)
	})
}

func (n *networkReader) readSwitches(v value) error {
	return v.list(func(i int, v value) error {
		if i == maxRacks {
			return v.faultf("there are more than %d switches", maxRacks)
		}
		n.Switches = append(n.Switches, Link{})
		s := &n.Switches[i]
		fields := append(linkFields(s), field{name: "switch", read: func(v value) (err error) {
			s.above, err = linkName(v)
			n.above["switch "+s.Name] = v
			return err
		}})
		if err := v.fields(fields...); err != nil {
			return err
		}
		twice := slices.ContainsFunc(n.Switches[:i], func(o Link) bool { return o.Name == s.Name })
		return s.check(v, "switch", twice)
	})
}

// readNICs reads the rates of hosts' NICs: one for both directions, or up and down.
func (n *networkReader) readNICs(r *Rack, v value) error {
	return v.object(func(key, v value) error {
		host := Link{Name: key.node.(*ast.StringNode).Value}
		if rack, known := n.hosts[host.Name]; known {
			return key.faultf("host %s is in two racks, %s and %s: leave it out of one", host.Name, rack, r.Name)
		}
		n.hosts[host.Name] = r.Name
		if _, isMap := v.node.(ast.MapNode); isMap {
			if err := v.fields(linkFields(&host)[1:]...); err != nil {
				return err
			}
		} else {
			rate, err := v.rate()
			if err != nil {
				return err
			}
			host.Up, host.Down = rate, rate
		}
		if host.Up == 0 || host.Down == 0 {
			return v.faultf("host %s needs a rate for each direction: write rate:, or up: and down:", host.Name)
		}
		r.NICs = append(r.NICs, host)
		return nil
	})
}

// linkFields are the name and the rates of a link.
func linkFields(l *Link) []field {
	set := func(to ...*float64) func(value) error {
		return func(v value) error {
			rate, err := v.rate()
			for _, at := range to {
				*at = rate
			}
			return err
		}
	}
	return []field{
		{name: "name", read: func(v value) (err error) {
			l.Name, err = linkName(v)
			return err
		}},
		{name: "rate", read: set(&l.Up, &l.Down)}, {name: "up", read: set(&l.Up)}, {name: "down", read: set(&l.Down)},
	}
}

func linkName(v value) (string, error) {
	name, err := v.scalar()
	if err == nil && (name == "" || len(name) > 200 || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r >= 0x7f })) {
		return "", v.faultf("%.80q is not a name: use letters, digits and signs, and no space", name)
	}
	return name, err
}

// check looks at a link that was read. v is where it stands.
func (l *Link) check(v value, kind string, twice bool) error {
	at := func(field string) value {
		if inner := child(v.node, field); inner != nil {
			return value{v.doc, inner, join(v.where(), field), 0}
		}
		return v
	}
	switch {
	case l.Name == "":
		return v.faultf("a %s has no name: give it one", kind)
	case twice:
		return at("name").faultf("%s %s is there twice: remove one", kind, l.Name)
	case l.Up == 0 || l.Down == 0:
		return v.faultf("%s %s needs a rate for each direction of its uplink: write rate:, or up: and down:", kind, l.Name)
	}
	return nil
}

// checkLinks checks what leads where.
func (n *networkReader) checkLinks() error {
	above := map[string]string{}
	for i := range n.Switches {
		above[n.Switches[i].Name] = n.Switches[i].above
	}
	for i := range n.Racks {
		r := &n.Racks[i]
		if _, known := above[r.Above]; r.Above != "" && !known {
			return n.above["rack "+r.Name].faultf("there is no switch %s: name one of switches:", r.Above)
		}
	}
	for i := range n.Switches {
		s := &n.Switches[i]
		if s.above == "" {
			continue
		}
		at := n.above["switch "+s.Name]
		path := []string{s.Name}
		for next := s.above; next != ""; next = above[next] {
			path = append(path, next)
			if next == s.Name {
				return at.faultf("the switches lead in a loop: %s", strings.Join(path, " → "))
			}
			if len(path) > len(n.Switches) {
				break
			}
		}
		return at.faultf("a switch leads to the core: racks have at most one switch above them, leave switch: out")
	}
	return nil
}

// bits are units of bits a second, by their beginning in lower case.
var bits = map[string]float64{"bit": 1, "kbit": 1e3, "mbit": 1e6, "gbit": 1e9, "tbit": 1e12}

// rate is bytes a second: text such as 10Gbit/s or 100MB/s.
func (v value) rate() (float64, error) {
	text, err := v.scalar()
	if err != nil {
		return 0, err
	}
	number, unit := split(strings.TrimSpace(text))
	if before, ok := strings.CutSuffix(unit, "bps"); ok {
		unit = before + "bit"
	}
	unit = strings.ToLower(strings.TrimSuffix(unit, "/s"))
	if unit == "" {
		return 0, v.faultf("%q has no unit: write 10Gbit/s, or 100MB/s", text)
	}
	var bytes float64
	if factor, isBits := bits[unit]; isBits {
		bytes = number * factor / 8
	} else if n, err := humanize.ParseBytes("1" + unit); err == nil {
		bytes = number * float64(n)
	} else {
		return 0, v.faultf("%q is not a rate: write 10Gbit/s, or 100MB/s", text)
	}
	if !(bytes > 0) || math.IsInf(bytes, 1) {
		return 0, v.faultf("%q is no rate of a link: give one above 0", text)
	}
	return bytes, nil
}

// split divides text into the number that it begins with, NaN if none, and the unit behind it.
func split(text string) (number float64, unit string) {
	end := strings.IndexFunc(text, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if end < 0 {
		end = len(text)
	}
	number, err := strconv.ParseFloat(text[:end], 64)
	if err != nil {
		number = math.NaN()
	}
	return number, strings.TrimSpace(text[end:])
}
