package inputs

import (
	"lull/subjects"
	"lull/subjects/turns"
)

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
	return turns.Interleave(of, task)
}
