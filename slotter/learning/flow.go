package learning

import (
	"errors"
	"math"
	"strconv"

	"lull/subjects"
)

// remembered is about the number of tasks that matter in a flow: with each later task, an earlier one
// counts for 1/remembered less.
const remembered = 64

// Flow is what a model's tasks lately read, and gave: the output that other stages read. It keeps fading
// sums instead of an average of the tasks' ratios, because a few tasks may give nearly all the output,
// as those of a filter do.
type Flow struct {
	Tasks float64 `msgpack:"tasks"` // number of tasks, faded as the other sums
	In    float64 `msgpack:"in"`    // bytes read
	Out   float64 `msgpack:"out"`   // bytes given
	Blind float64 `msgpack:"blind"` // number of tasks that read nothing
}

// add counts a finished task.
func (f *Flow) add(e *subjects.Finished) {
	f.Tasks, f.In, f.Out, f.Blind = fade(f.Tasks)+1, fade(f.In)+float64(e.In), fade(f.Out)+float64(e.Given()), fade(f.Blind)
	if e.In == 0 {
		f.Blind++
	}
}

// fade returns a sum as the next task finds it.
func fade(sum float64) float64 { return sum - float64(sum/remembered) }

// gives returns the bytes that the tasks give for each byte they read, and the bytes that a task gives on
// average. perByte is 0 if most tasks read nothing.
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
			return errors.New("what its tasks read or gave is negative or not finite")
		}
	}
	return nil
}

// significant rounds x to three digits, since more are not known. It formats and parses x as decimal
// text, because the result of that is the same on all machines.
func significant(x float64) float64 {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	return short
}
