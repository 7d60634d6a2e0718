package doctor

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"lull/cmd/lull/serve/heap"
)

// Memory of a pool's state in a process that holds it, in bytes, measured by
// go run ./test/bench queue.
const (
	baseMemory = 48 << 20 // idle, with the embedded server
	jobMemory  = 1600     // of an open job, in admission and slotter together
	taskMemory = 64       // of a task of a job that has begun, in both
)

// memoryFor reports how many jobs may be open within a limit.
func memoryFor(limit, machine uint64) Check {
	room := (limit/2 - min(baseMemory, limit/2)) / jobMemory
	return Check{"memory", true, fmt.Sprintf(
		"lull up, or one service, may use %s of %s (--memory): about %s open jobs (twice %s + %s a job + %d B a started task); more wait in the inbox",
		humanize.IBytes(limit), humanize.IBytes(machine), humanize.Comma(int64(room)), humanize.IBytes(baseMemory), humanize.IBytes(jobMemory), taskMemory)}
}

func checkMemory() Check {
	limit, machine, err := heap.Default("/")
	if err != nil {
		return Check{"memory", false, "cannot find out how much memory there is: " + err.Error()}
	}
	return memoryFor(limit, machine)
}
