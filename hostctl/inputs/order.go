package inputs

import "lull/subjects"

// order returns the indexes of the outputs in the order in which a task asks for them: one of each
// host in turn. Each task of a stage begins with another host, so that they do not all queue at
// the host that ran the first task of the earlier stage.
func order(answer *subjects.OutputsAnswer, task uint32) []int {
	of := make([][]int, len(answer.Hosts))
	for i := range answer.Outputs {
		if host := answer.Outputs[i].Host; int(host) < len(of) {
			of[host] = append(of[host], i)
		}
	}
	return interleave(of, task)
}

// interleave takes one item of each list in turn, beginning with the list that is the turn of a
// task. Lists without items have no turn.
func interleave[T any](lists [][]T, task uint32) (all []T) {
	var left [][]T
	for _, list := range lists {
		if len(list) > 0 {
			left = append(left, list)
		}
	}
	if len(left) == 0 {
		return nil
	}
	first := int(task % uint32(len(left)))
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
