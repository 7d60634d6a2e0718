package bound

import (
	"math"
	"slices"
)

// Rack is a rack. The hosts of all racks are alike.
type Rack struct {
	Hosts    int
	Up, Down float64 // bytes/s
}

// AllToAll returns the least time in which r hosts can exchange data, when each sends b bytes to each
// other one. It considers all ways to choose the hosts. counts is the number of hosts that the best way
// takes from each rack. nic is the rate of a host's NIC in each direction, in bytes/s. It returns +Inf if
// there are fewer than r hosts.
func AllToAll(racks []Rack, r int, b, nic float64) (seconds float64, counts []int) {
	var times []float64
	for _, rack := range racks {
		for n := 0; n <= min(rack.Hosts, r); n++ {
			times = append(times, rack.needs(n, r, b))
		}
	}
	slices.Sort(times)
	times = slices.Compact(times)
	// Hosts that can exchange their data in some time can do so in any longer time, so bisection works.
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

// needs returns the seconds that the rack's uplink needs if n of the r hosts are in the rack.
func (rack Rack) needs(n, r int, b float64) float64 {
	return float64(n) * float64(r-n) * b / min(rack.Up, rack.Down)
}

// few returns the most hosts, up to half of the r, that the rack can have if its uplink may need so many
// seconds.
func (rack Rack) few(r int, b, seconds float64) int {
	n := 0
	for n < min(rack.Hosts, r/2) && rack.needs(n+1, r, b) <= seconds {
		n++
	}
	return n
}

// fit returns how many hosts to take from each rack to get r, such that no uplink needs longer than so
// many seconds; nil if there is no way. The time of a rack with n hosts grows with n·(r − n), which rises
// up to n = r/2 and falls after that. So all racks have up to half of the hosts (few), or one of them
// has more than half.
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
