package datanode

import (
	"fmt"
	"slices"

	"lull/subjects/spec"
)

// Config is a data node with a known capacity.
type Config struct {
	// Name as stages give it, such as nfs:filer1: see spec.Stage.Sources. The
	// agent of a host, from which later stages read, is agent:<host>.
	Name string
	// Capacity is what it gives at most, in bytes/s, from 1 to MaxRate.
	Capacity float64
}

// MaxRate bounds what one task reads, in bytes/s: a million of them still add
// up to a number.
const MaxRate = 1e12

// Validate returns what is wrong with a list of known data nodes.
func Validate(known []Config) error {
	for i, k := range known {
		if !spec.DataNodeName(k.Name) {
			return fmt.Errorf("%.80q is no data node: name it as stages do, such as nfs:filer1", k.Name)
		}
		if !(k.Capacity >= 1 && k.Capacity <= MaxRate) {
			return fmt.Errorf("the capacity of %s is %v bytes/s: give 1 to %g", k.Name, k.Capacity, MaxRate)
		}
		if slices.ContainsFunc(known[:i], func(other Config) bool { return other.Name == k.Name }) {
			return fmt.Errorf("data node %s is given twice: keep one capacity", k.Name)
		}
	}
	return nil
}
