package topology

import (
	"fmt"
	"math"
)

// Check returns what is wrong with the tree: a name that occurs twice, a rate that is not a
// positive number, a host or rack that refers to nothing.
func (t *Tree) Check() error {
	seen := map[string]bool{}
	for _, a := range t.Aggregations {
		if err := named(seen, "aggregation", a.Name, a.Up, a.Down); err != nil {
			return err
		}
	}
	for _, r := range t.Racks {
		if err := named(seen, "rack", r.Name, r.Up, r.Down); err != nil {
			return err
		}
		if r.Above < 0 || r.Above > len(t.Aggregations) {
			return fmt.Errorf("rack %s: it is below aggregation %d of %d", r.Name, r.Above, len(t.Aggregations))
		}
	}
	for _, h := range t.Hosts {
		if err := named(seen, "host", h.Name, h.Out, h.In); err != nil {
			return err
		}
		if h.Rack < 0 || h.Rack >= len(t.Racks) {
			return fmt.Errorf("host %s: it is in rack %d, counted from 0, of %d", h.Name, h.Rack, len(t.Racks))
		}
		if !(h.Disk >= 0) || math.IsInf(h.Disk, 1) {
			return fmt.Errorf("host %s: the disk's rate is %v bytes/s: give one above zero, or 0 for no limit", h.Name, h.Disk)
		}
	}
	return nil
}

func named(seen map[string]bool, kind, name string, rates ...float64) error {
	if key := kind + " " + name; seen[key] {
		return fmt.Errorf("%s %s is there twice", kind, name)
	} else if seen[key] = true; name == "" {
		return fmt.Errorf("%s without a name", kind)
	}
	for _, rate := range rates {
		if !(rate > 0) || math.IsInf(rate, 1) {
			return fmt.Errorf("%s %s: its rate is %v bytes/s: give one above zero", kind, name, rate)
		}
	}
	return nil
}
