package bound

import (
	"math"
	"slices"
)

// Rack is a rack of hosts that are equal to those of all other racks.
type Rack struct {
	Hosts    int
	Up, Down float64 // bytes/s
}

// AllToAll returns the least time in which r hosts can send each other b bytes each, over all ways
// to choose them from the racks, and how many hosts of each rack do. nic is the rate of a host's NIC each
// way. It returns +Inf if there are fewer than r hosts.
func AllToAll(racks []Rack, r int, b, nic float64) (seconds float64, counts []int) {
	var times []float64
	for _, rack := range racks {
		for n := 0; n <= min(rack.Hosts, r); n++ {
			times = append(times, rack.needs(n, r, b))
		}
	}
	slices.Sort(times)
	times = slices.Compact(times)
	// Whoever can be placed in some time can be in more.
	i, _ := slices.BinarySearchFunc(times, true, func(time float64, _ bool) int {
		if fit(racks, r, b, time) != nil {
			return 0
		}
		return -1
	})
	if i == len(times) {
		return math.Inf(1), nil
	}
	return max(times[i], float64(r-1)*b/nic), fit(racks, r, b, times[i])
}

// needs is how long the uplink of a rack needs with n of r hosts in it.
func (rack Rack) needs(n, r int, b float64) float64 {
	return float64(n) * float64(r-n) * b / min(rack.Up, rack.Down)
}

// few is the most hosts, up to half of all, that the rack can have if no uplink may need longer.
func (rack Rack) few(r int, b, seconds float64) int {
	n := 0
	for n < min(rack.Hosts, r/2) && rack.needs(n+1, r, b) <= seconds {
		n++
	}
	return n
}

// fit returns how many hosts of each rack add up to r when no uplink may need longer; nil if
// they cannot. n·(r − n) rises up to r/2 and falls from there, so each rack has a few hosts, or one of them
// more than half.
func fit(racks []Rack, r int, b, seconds float64) []int {
	for most := -1; most < len(racks); most++ {
		left, counts := r, make([]int, len(racks))
		if most >= 0 {
			n := min(racks[most].Hosts, r)
			if 2*n <= r || racks[most].needs(n, r, b) > seconds {
				continue
			}
			counts[most], left = n, r-n
		}
		for i, rack := range racks {
			if i != most {
				counts[i] = min(rack.few(r, b, seconds), left)
				left -= counts[i]
			}
		}
		if left == 0 {
			return counts
		}
	}
	return nil
}
