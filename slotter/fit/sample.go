package fit

import (
	"math"

	"github.com/vmihailenco/msgpack/v5"

	"lull/subjects/tct"
)

// Sample is one finished task.
type Sample struct {
	Residual float64 // mean over the run: what made it take that long
	Known    float64 // when it was assigned: what a prediction could know
	Seconds  float64 // wall time
	Bytes    float64 // of its input, 0 for unknown
	// Expected is the time that a model predicted when the task was assigned,
	// 0 when there was no model.
	Expected float64
	Read     float64 // ninetieth percentile of the bytes it read a second, 0 for unknown

	at uint64 // Window.Seen when it came: its age, 0 for all outside a window
}

// Bounds of what a task can show. What is computed from numbers within them (sums, ratios, rates on
// an idle core) stays within what an event of the log may carry.
const (
	longest, shortest = 1e12, 1e-6 // seconds that a task takes
	largest           = 1e24       // bytes that it reads, in all or in a second
)

func (s *Sample) valid() bool {
	for _, x := range [...]float64{s.Residual, s.Known, s.Bytes, s.Expected, s.Read} {
		if !finite(x) {
			return false
		}
	}
	return finite(s.Seconds) && s.Seconds > 0 && s.Bytes >= 0 && s.Expected >= 0 && s.Read >= 0
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// bound puts a residual where curves are defined.
func bound(r float64) float64 { return min(max(r, tct.MinResidual), 1) }

// clamped returns the sample with each number within the bounds of what a task can show.
func (s Sample) clamped() Sample {
	s.Residual, s.Known, s.Seconds = bound(s.Residual), bound(s.Known), clampSeconds(s.Seconds)
	s.Read = min(s.Read, largest)
	if s.Bytes > 0 {
		s.Bytes = min(max(s.Bytes, 1), largest)
	}
	if s.Expected > 0 {
		s.Expected = clampSeconds(s.Expected)
	}
	return s
}

func clampSeconds(x float64) float64 { return min(max(x, shortest), longest) }

// fields are a sample's numbers in the order of its form in a snapshot.
func (s *Sample) fields() [6]*float64 {
	return [...]*float64{&s.Residual, &s.Known, &s.Seconds, &s.Bytes, &s.Expected, &s.Read}
}

// round makes s what it will be when it comes back from a snapshot.
func (s *Sample) round() {
	for _, x := range s.fields() {
		*x = float64(float32(*x))
	}
}

// EncodeMsgpack writes the sample as an array. A snapshot has 300 of them a model, and four bytes a
// number are precise to one part in ten million.
func (s *Sample) EncodeMsgpack(e *msgpack.Encoder) error {
	if err := e.EncodeArrayLen(len(s.fields()) + 1); err != nil {
		return err
	}
	for _, x := range s.fields() {
		if err := e.EncodeFloat32(float32(*x)); err != nil {
			return err
		}
	}
	return e.EncodeUint(s.at)
}

// DecodeMsgpack reads what EncodeMsgpack wrote.
func (s *Sample) DecodeMsgpack(d *msgpack.Decoder) error {
	n, err := d.DecodeArrayLen()
	if err != nil {
		return err
	}
	if n != len(s.fields())+1 {
		return errForm
	}
	for _, x := range s.fields() {
		v, err := d.DecodeFloat32()
		if err != nil {
			return err
		}
		*x = float64(v)
	}
	s.at, err = d.DecodeUint64()
	return err
}
