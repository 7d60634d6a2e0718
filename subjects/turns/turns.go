// Package turns decides in which order a task fetches what other hosts keep, and how much at once. The
// agent does so, and the placer and the simulator reckon with it.
package turns

// Defaults of an agent's flags: transfers at once.
const (
	TaskTransfers = 8  // of a task: enough to hide round trips, and few enough not to load other hosts
	HostTransfers = 32 // of a host, what four tasks use: more would share the same network interface
)

const (
	// SmallPart is the largest file, in bytes, that is fetched with others in one request. A
	// larger one gets a request of its own, which can be resumed.
	SmallPart = 1 << 20
	// PartsPerRequest is the number of small files in one request: enough to hide its cost, few
	// enough for several requests at once.
	PartsPerRequest = 64
)

// Interleave takes one item of each list in turn, beginning with another list for each task. Lists without
// items have no turn. So the tasks of a stage do not all queue at the host that ran the first task of the earlier stage.
func Interleave[T any](lists [][]T, task uint32) (all []T) {
	var left [][]T
	for _, list := range lists {
		if len(list) > 0 {
			left = append(left, list)
		}
	}
	if len(left) == 0 {
		return nil
	}
	first := FirstList(task, len(left))
	left = append(left[first:len(left):len(left)], left[:first]...)
	for len(left) > 0 {
		rest := left[:0]
		for _, list := range left {
			all = append(all, list[0])
			if len(list) > 1 {
				rest = append(rest, list[1:])
			}
		}
		left = rest
	}
	return all
}

// FirstList is with which of so many lists a task begins. As many tasks as there are lists begin with one each, and tasks that follow
// each other begin about 0.618 of the lists apart, which spreads any number of them (Knuth, The Art of Computer Programming,
// 6.4). One list apart would not do: slots are given to the tasks of both stages in the order of hosts, so all would begin
// with their own racks, and the uplinks would be idle for that long.
func FirstList(task uint32, lists int) int {
	apart := int(0.618*float64(lists) + 0.5)
	for apart > 1 && (gcd(apart, lists) > 1 || gcd(apart-1, lists) > 4) { // the second: places ahead of their own differ, too
		apart--
	}
	return int(uint64(task) * uint64(max(apart, 1)) % uint64(lists))
}

func gcd(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}
