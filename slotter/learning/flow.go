package learning

import (
	"errors"
	"math"
	"strconv"

	"lull/subjects"
)

// remembered is the number of tasks whose bytes weigh most in a flow: each one counts for less by
// 1/remembered with every task after it.
const remembered = 64

// Flow is what a model's tasks read and gave lately. It keeps fading sums, not ratios: a few tasks
// of a filter give nearly all that it gives.
type Flow struct {
	Tasks float64 `msgpack:"tasks"`
	In    float64 `msgpack:"in"`    // bytes read
	Out   float64 `msgpack:"out"`   // bytes given
	Blind float64 `msgpack:"blind"` // tasks that read nothing
}

// add takes in a task.
func (f *Flow) add(e *subjects.Finished) {
	f.Tasks, f.In, f.Out, f.Blind = fade(f.Tasks)+1, fade(f.In)+float64(e.In), fade(f.Out)+float64(e.Given()), fade(f.Blind)
	if e.In == 0 {
		f.Blind++
	}
}

func fade(sum float64) float64 { return sum - float64(sum/remembered) }

// gives returns the bytes that the tasks give for each byte they read, and what a task gives. The first is 0
// if most tasks read nothing.
func (f *Flow) gives() (perByte, perTask float64) {
	if f.Tasks > 0 {
		perTask = significant(f.Out / f.Tasks)
	}
	if f.In > 0 && 2*f.Blind < f.Tasks {
		perByte = significant(f.Out / f.In)
	}
	return perByte, perTask
}

func (f *Flow) valid() error {
	for _, x := range [...]float64{f.Tasks, f.In, f.Out, f.Blind} {
		if !(x >= 0 && x <= math.MaxFloat64) {
			return errors.New("it has a flow that is no number")
		}
	}
	return nil
}

// significant keeps three digits: more would say that more is known. It goes by decimal text, which
// is the same on all machines.
func significant(x float64) float64 {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	return short
}
