package uplink

import (
	"cmp"
	"slices"
	"time"
)

// Link is one direction of a rack's uplink.
type Link struct {
	Rack string `msgpack:"rack"`
	Up   bool   `msgpack:"up,omitempty"` // the direction in which the rack's hosts send
}

// compare orders links by rack, and down before up.
func (l Link) compare(o Link) int {
	if c := cmp.Compare(l.Rack, o.Rack); c != 0 || l.Up == o.Up {
		return c
	}
	if o.Up {
		return -1
	}
	return 1
}

// Stage names a stage whose tasks fetch.
type Stage struct {
	Job   string
	Stage uint32
}

// Transfer is what a task fetched from the hosts of one rack, which may be its own.
type Transfer struct {
	From, To string // rack of those hosts and rack of the task; "" if unknown
	Bytes    float64
	Seconds  float64
}

const (
	// mostSeconds is how many seconds are kept for a link, counting only seconds in which something
	// crossed it.
	mostSeconds = 4096
	// mostStages is how many stages are followed at once: those that began to fetch last.
	mostStages = 256
	// window is the number of seconds for which a rate must last to count.
	window = 3
)

// Links records what crossed links lately, and what that showed about their rates. The zero value is ready
// to use.
type Links struct {
	moved  map[Link]map[int64]float64 // bytes by Unix second
	stages []*fetching                // the one that began last comes last
	learnt []*Learnt                  // sorted by link
}

// fetching is what a stage's tasks have fetched so far.
type fetching struct {
	stage       Stage
	first, last int64 // Unix seconds
	bytes       map[Link]float64
}

// Add records what a task of a stage fetched. until is when the fetch ended. capacity is as for JudgeStage. A
// link without a capacity is ignored, because any host may claim to be in any rack.
func (l *Links) Add(stage Stage, all []Transfer, until time.Time, capacity func(Link) float64) {
	for _, t := range all {
		if t.From == "" || t.To == "" || t.From == t.To || !(t.Bytes > 0) || !(t.Seconds >= 0) || t.Seconds > mostSeconds {
			continue
		}
		for _, link := range []Link{{t.From, true}, {t.To, false}} {
			if capacity(link) <= 0 {
				continue
			}
			f := l.of(stage)
			first, last := l.spread(link, t, until)
			f.bytes[link] += t.Bytes
			f.first, f.last = min(f.first, first), max(f.last, last)
		}
	}
}

// of returns the record of a stage, and makes it if there is none. To keep at most mostStages, it then
// drops the oldest.
func (l *Links) of(stage Stage) *fetching {
	for _, f := range l.stages {
		if f.stage == stage {
			return f
		}
	}
	if len(l.stages) == mostStages {
		l.stages = slices.Delete(l.stages, 0, 1)
	}
	f := &fetching{stage: stage, first: 1 << 62, last: -1 << 62, bytes: map[Link]float64{}}
	l.stages = append(l.stages, f)
	return f
}

// spread adds a transfer's bytes evenly to the seconds in which it took place, and returns the first and
// the last of these.
func (l *Links) spread(link Link, t Transfer, until time.Time) (first, last int64) {
	end := float64(until.UnixNano()) / 1e9
	begin := end - max(t.Seconds, 1e-3)
	first, last = int64(begin), int64(end)
	if l.moved == nil {
		l.moved = map[Link]map[int64]float64{}
	}
	of := l.moved[link]
	if of == nil {
		of = map[int64]float64{}
		l.moved[link] = of
	}
	for s := first; s <= last; s++ {
		if part := min(end, float64(s+1)) - max(begin, float64(s)); part > 0 {
			of[s] += t.Bytes * part / (end - begin)
		}
	}
	trim(of)
	return first, last
}

// trim drops all but a link's latest mostSeconds seconds, once there are twice as many.
func trim(of map[int64]float64) {
	if len(of) < 2*mostSeconds {
		return
	}
	all := make([]int64, 0, len(of))
	for s := range of {
		all = append(all, s)
	}
	slices.Sort(all)
	for _, s := range all[:len(all)-mostSeconds] {
		delete(of, s)
	}
}

// best returns the greatest average rate in bytes/s over any window of seconds while the stage fetched.
// It counts what all stages moved over the link.
func (l *Links) best(link Link, f *fetching) (rate float64) {
	of := l.moved[link]
	sum := 0.0
	for s := f.first; s <= f.last; s++ {
		sum += of[s]
		if s-window >= f.first {
			sum -= of[s-window]
		}
		rate = max(rate, sum/window)
	}
	return rate
}

// crossed returns the bytes that all stages moved over a link while the stage fetched.
func (l *Links) crossed(link Link, f *fetching) (bytes float64) {
	for s := f.first; s <= f.last; s++ {
		bytes += l.moved[link][s]
	}
	return bytes
}
