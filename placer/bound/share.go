package bound

import (
	"cmp"
	"math"
	"slices"

	"lull/placer/predict"
	"lull/subjects/tct"
)

// speed is how fast a host can run the tasks of one stage.
type speed struct {
	rack   int
	slots  int     // number of tasks that it can run at once
	full   float64 // seconds of a task when all slots are busy
	least  float64 // least seconds of a task, over all numbers of busy slots
	rate   float64 // most tasks a second, over all numbers of busy slots
	usable bool    // it can run a task at all
}

// speeds returns each host's speed for a stage. moved is the number of bytes that a task reads from and
// writes to its disk.
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

// leastTime returns a lower bound of the time that the stage's tasks take on any r of the hosts.
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

// leastSlots returns the number of slots that any r of the usable hosts have at least.
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

// atOnce returns an upper bound of the share of a stage's tasks that run in each rack, if all of them
// start at once: the rack has at most as many as its r hosts with the most slots can run. If they do not
// start at once, one rack may run all.
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

// inWaves returns an upper bound of the share of a first stage's tasks that run in each rack. These tasks
// read no other stage, so until the last one has started, all slots of all r hosts are busy with them.
// A rack has the greatest share if the chosen hosts in it are its fastest, and the others are the
// slowest of the other racks: faster ones there would start more tasks by any time.
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

// pace returns the average time between two tasks that a host completes, when all its slots are busy.
func (v speed) pace() float64 { return v.full / float64(v.slots) }

// most returns how many of the tasks the own hosts have started when the last task starts.
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

// started returns how many tasks the hosts have started by a time, if their slots are never idle.
func started(hosts []speed, seconds float64) int {
	n := 0
	for _, v := range hosts {
		n += v.slots * (int(seconds/v.full*(1+1e-9)) + 1)
	}
	return n
}
