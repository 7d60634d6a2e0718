package bound

import (
	"cmp"
	"math"
	"slices"

	"lull/placer/predict"
	"lull/subjects/tct"
)

// speed is what a host can do of one stage.
type speed struct {
	rack   int
	slots  int     // that can run a task at once
	full   float64 // seconds of a task when all of them do
	least  float64 // of a task, with as many beside it as suits it best
	rate   float64 // tasks a second, with as many at once as suits best
	usable bool
}

// speeds is what each host can do of a stage whose tasks move so many bytes on their disks.
func speeds(s *predict.Snapshot, stage *predict.Stage, moved float64) []speed {
	all := make([]speed, len(s.Hosts))
	for i, h := range s.Hosts {
		v := speed{rack: s.Tree.Hosts[i].Rack, least: math.Inf(1)}
		for busy := 1; busy <= h.Slots; busy++ {
			r := tct.Residual(h.Idle, h.Busy+busy)
			if r < tct.MinResidual {
				break
			}
			seconds := stage.Curve.Seconds(r)
			if disk := s.Tree.Hosts[i].Disk; disk > 0 {
				seconds = max(seconds, moved*float64(busy)/disk)
			}
			seconds += stage.Overhead
			v.slots, v.full, v.usable = busy, seconds, true
			v.least, v.rate = min(v.least, seconds), max(v.rate, float64(busy)/seconds)
		}
		all[i] = v
	}
	return all
}

// leastTime is the least time that the stage's tasks need on r of the hosts.
func leastTime(all []speed, tasks, r int) float64 {
	usable := slices.DeleteFunc(slices.Clone(all), func(v speed) bool { return !v.usable })
	if len(usable) == 0 {
		return math.Inf(1)
	}
	r = min(r, len(usable))
	least, rate, slots := math.Inf(1), 0.0, 0
	slices.SortFunc(usable, func(a, b speed) int { return cmp.Compare(b.rate, a.rate) })
	for _, v := range usable[:r] {
		rate += v.rate
	}
	slices.SortFunc(usable, func(a, b speed) int { return cmp.Compare(b.slots, a.slots) })
	for _, v := range usable[:r] {
		slots += v.slots
	}
	for _, v := range usable {
		least = min(least, v.least)
	}
	return max(float64(tasks)/rate, float64((tasks+slots-1)/slots)*least)
}

// leastSlots is the number of slots that any r of the hosts have.
func leastSlots(all []speed, r int) int {
	var slots []int
	for _, v := range all {
		if v.usable {
			slots = append(slots, v.slots)
		}
	}
	slices.Sort(slots)
	sum := 0
	for _, n := range slots[:min(r, len(slots))] {
		sum += n
	}
	return sum
}

// atOnce bounds the part of a stage's tasks in each rack if all start at once: by the slots of the rack's
// r best hosts. If they do not, a rack may have all.
func atOnce(all []speed, racks, tasks, r int) []float64 {
	parts := make([]float64, racks)
	for rack := range parts {
		var slots []int
		for _, v := range all {
			if v.rack == rack && v.usable {
				slots = append(slots, v.slots)
			}
		}
		slices.SortFunc(slots, func(a, b int) int { return cmp.Compare(b, a) })
		sum := 0
		for _, n := range slots[:min(r, len(slots))] {
			sum += n
		}
		parts[rack] = min(1, float64(sum)/float64(tasks))
	}
	return parts
}

// inWaves bounds the part of a first stage's tasks in each rack. Its tasks read nothing of others, and
// until the last has started all slots of all r hosts are busy with them. So a rack has most of
// them if its own hosts are the fastest that it has, and all others the slowest of the pool:
// faster ones there would start more by any time.
func inWaves(all []speed, racks, tasks, r int) []float64 {
	parts := make([]float64, racks)
	for rack := range parts {
		var own, others []speed
		for _, v := range all {
			switch {
			case !v.usable:
			case v.rack == rack:
				own = append(own, v)
			default:
				others = append(others, v)
			}
		}
		slices.SortFunc(own, func(a, b speed) int { return cmp.Compare(a.pace(), b.pace()) })
		slices.SortFunc(others, func(a, b speed) int { return cmp.Compare(b.pace(), a.pace()) })
		own = own[:min(r, len(own))]
		others = others[:min(r-len(own), len(others))]
		parts[rack] = min(1, float64(most(own, others, tasks))/float64(tasks))
	}
	return parts
}

// pace is how long a host takes for each task when all its slots are busy.
func (v speed) pace() float64 { return v.full / float64(v.slots) }

// most is how many tasks own hosts have started when the last task starts.
func most(own, others []speed, tasks int) int {
	low, high := 0.0, 0.0
	for _, v := range slices.Concat(own, others) {
		high = max(high, v.full*float64(tasks))
	}
	for range 60 {
		if middle := (low + high) / 2; started(own, middle)+started(others, middle) >= tasks {
			high = middle
		} else {
			low = middle
		}
	}
	return started(own, high)
}

// started is how many tasks the hosts have started by a time.
func started(hosts []speed, seconds float64) int {
	n := 0
	for _, v := range hosts {
		n += v.slots * (int(seconds/v.full*(1+1e-9)) + 1)
	}
	return n
}
