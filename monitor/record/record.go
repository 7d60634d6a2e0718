// Package record makes two-minute samples of what the primary used, from counters that are read
// once a second. It is pure: time comes with each reading.
//
//	var r record.Recorder
//	r.Add(reading, func(s record.Sample) { … })   // once a second
//	r.Flush(func(s record.Sample) { … })          // at the end
//
// Each sample is of one step, two minutes that begin at a multiple of two minutes in UTC. What the
// primary used between two readings is divided among the steps in proportion to the time in each, and
// so are the seconds observed. The time between two readings counts as not observed if it is longer than
// maxGap, as after a suspended or hung host, if the wall clock jumped meanwhile, or if a counter fell.
package record

import (
	"time"

	"lull/subjects/history"
)

const (
	// maxGap is the longest time between two readings that counts as observed.
	maxGap = 10 * time.Second
	// maxClockJump is the greatest difference between the time that passed by the wall clock and by the
	// monotonic one that does not count as a jump.
	maxClockJump = time.Second
	// peakWindow is the length of a window. A sample's peak is the greatest mean over a window.
	peakWindow = 10 * time.Second
)

// Reading is the state of a host's counters.
type Reading struct {
	At      time.Time     // by the wall clock
	Up      time.Duration // by the monotonic clock, since an arbitrary moment
	Primary float64       // CPU seconds that the primary has used since an arbitrary moment
	Cores   int
	// Used is the memory that the primary uses, and Memory that of the host, in bytes. A Memory of 0
	// is unknown.
	Used, Memory int64
	// Epoch changes when Primary begins to count from another moment.
	Epoch int
}

// Sample is what the primary did in a step.
type Sample struct {
	Slot   int64 // see history.Slot
	Sample history.Sample
	Cores  uint32
	Memory int64
}

// Recorder turns readings into samples. The zero value is ready.
type Recorder struct {
	last   Reading
	any    bool // last is set
	slot   int64
	sum    sum
	recent []Reading // of the present step, oldest first, back to peakWindow before the last one
}

// sum adds up what was observed of a step.
type sum struct {
	seconds float64
	cpu     float64 // share of the host's cores × seconds
	memory  float64 // share of its memory × seconds
	peak    float64
	cores   int
	bytes   int64
}

// Add adds a reading. It calls emit with each step that is over.
func (r *Recorder) Add(x Reading, emit func(Sample)) {
	last := r.last
	if r.any && r.comparable(x) {
		r.addBetween(last, x, emit)
	} else {
		r.recent = r.recent[:0]
		r.beginStep(history.Slot(x.At), emit)
	}
	r.last, r.any = x, true
	r.recent = append(r.recent, x)
	r.updatePeak()
}

// Flush calls emit with what was observed of the present step.
func (r *Recorder) Flush(emit func(Sample)) {
	r.emit(emit)
	r.any = false
}

// comparable reports whether the host was observed from the last reading to x.
func (r *Recorder) comparable(x Reading) bool {
	up, wall := x.Up-r.last.Up, x.At.Round(0).Sub(r.last.At.Round(0))
	return up > 0 && up <= maxGap && (wall-up).Abs() <= maxClockJump && wall > 0 &&
		x.Epoch == r.last.Epoch && x.Primary >= r.last.Primary-tick && x.Cores > 0
}

// tick is the most CPU seconds by which Reading.Primary may fall without being a new counter. It is the
// host's counter less that of batch work, and only the former advances in hundredths of a second.
const tick = 1

// addBetween adds what the primary used between two readings to the steps.
func (r *Recorder) addBetween(from, to Reading, emit func(Sample)) {
	wall := to.At.Round(0).Sub(from.At.Round(0)).Seconds()
	share := (to.Primary - from.Primary) / wall / float64(to.Cores)
	for at := from.At; at.Before(to.At); {
		slot := history.Slot(at)
		end := history.TimeOf(slot + 1)
		if end.After(to.At) {
			end = to.At
		}
		if slot != r.slot {
			r.recent = append(r.recent[:0], between(from, to, at))
		}
		r.beginStep(slot, emit)
		r.sum.add(share, end.Sub(at).Seconds(), to)
		at = end
	}
	if slot := history.Slot(to.At); slot != r.slot {
		r.recent = r.recent[:0]
		r.beginStep(slot, emit)
	}
}

// between returns the reading at a moment between two, as if the counters had grown evenly.
func between(from, to Reading, at time.Time) Reading {
	part := float64(at.Sub(from.At)) / float64(to.At.Sub(from.At))
	x := to
	x.At, x.Primary = at, from.Primary+part*(to.Primary-from.Primary)
	x.Up = from.Up + time.Duration(part*float64(to.Up-from.Up))
	return x
}

func (s *sum) add(share, seconds float64, x Reading) {
	s.seconds += seconds
	s.cpu += share * seconds
	if x.Memory > 0 {
		s.memory += float64(x.Used) / float64(x.Memory) * seconds
	}
	s.cores, s.bytes = x.Cores, x.Memory
}

// updatePeak raises the peak of the step to the mean of the last ten seconds, if that is higher. A window
// that began in the step before does not count.
func (r *Recorder) updatePeak() {
	last := r.recent[len(r.recent)-1]
	for len(r.recent) > 2 && last.Up-r.recent[1].Up >= peakWindow {
		r.recent = append(r.recent[:0], r.recent[1:]...)
	}
	if took := last.Up - r.recent[0].Up; took >= peakWindow-peakWindow/100 {
		r.sum.peak = max(r.sum.peak, (last.Primary-r.recent[0].Primary)/took.Seconds()/float64(last.Cores))
	}
}

// beginStep ends the present step and begins another, unless slot is the present one.
func (r *Recorder) beginStep(slot int64, emit func(Sample)) {
	if slot != r.slot {
		r.emit(emit)
		r.slot = slot
	}
}

// emit calls emit with the sample of the present step, if any of it was observed, and clears its sums.
func (r *Recorder) emit(emit func(Sample)) {
	s := r.sum
	r.sum = sum{}
	seconds := uint8(min(s.seconds+0.5, history.Step.Seconds()))
	if seconds == 0 {
		return
	}
	mean := history.Thousandths(s.cpu / s.seconds)
	emit(Sample{
		Slot: r.slot, Cores: uint32(s.cores), Memory: s.bytes,
		Sample: history.Sample{
			Mean: mean, Peak: max(mean, history.Thousandths(s.peak)), Memory: history.Thousandths(s.memory / s.seconds), Seconds: seconds,
		},
	})
}
