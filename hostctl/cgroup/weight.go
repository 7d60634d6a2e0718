package cgroup

import "strconv"

// weights are a core's, the least and the greatest weight by the version of the hierarchy.
var weights = map[int][3]float64{1: {1024, 2, 262144}, 2: {100, 1, 10000}}

func leastWeight(version int) uint64 { return uint64(weights[version][1]) }

// Weigh sets what the slot's tasks have of the CPU beside those of other slots where all want
// more than there is: so many cores. What no other slot wants they may take as well: a cap would
// have them keep locks and caches of the primary's while they are throttled, see SetCap. Where the
// host has no weights it does nothing.
func Weigh(s *Slot, cores float64) error {
	m := s.tree.caps.Weight
	if !m.OK() {
		return nil
	}
	return s.tree.Settings.set(s.in(m), []string{m.File}, func() error {
		return s.in(m).write(m.File, strconv.Itoa(weightOf(m.Version, cores)))
	})
}

// weightOf is the weight of so many cores, within what the kernel takes.
func weightOf(version int, cores float64) int {
	w := weights[version]
	return int(min(max(w[0]*cores, w[1]), w[2]))
}
