package admission

import (
	"slices"
	"time"
)

const (
	// bucket is the time for which one reading stands. Usage.Idle is a mean
	// over ten seconds, so one reading in ten seconds misses nothing.
	bucket = int64(10 * time.Second)
	// buckets make the window on which promises rest: five minutes.
	buckets = 30
)

// window is what a host's primary left idle lately, in cores. Promises rest on
// its lower quartile: a burst of the primary that lasts less than a quarter of
// the window takes nothing away, a load that stays counts after 75 seconds,
// and relief counts after 225, because a promise may err on one side only. The
// present reading alone would reject whatever comes in a bad second.
type window struct {
	idle  [buckets]float64
	n     int   // readings
	last  int64 // bucket of the newest reading, which is idle[n-1]
	heard int64 // when that was

	quartile float64
}

// add takes in a reading. A host that was silent for a while is taken to have
// been as it was.
func (w *window) add(now int64, idle float64) {
	at := now / bucket
	switch {
	case w.n == 0:
		w.n, w.last = 1, at
	case at > w.last:
		for range min(at-w.last, buckets) {
			w.push()
		}
		w.last = at
	}
	w.heard = now
	if before := w.idle[w.n-1]; before < idle || before > idle || w.n == 1 {
		w.idle[w.n-1] = idle
		w.sum()
	}
}

// push opens the next bucket, with the last reading until there is a new one.
func (w *window) push() {
	last := w.idle[w.n-1]
	if w.n == buckets {
		copy(w.idle[:], w.idle[1:])
		w.n--
	}
	w.idle[w.n] = last
	w.n++
	w.sum()
}

func (w *window) sum() {
	sorted := w.idle
	slices.Sort(sorted[:w.n])
	w.quartile = sorted[(w.n-1)/4]
}

// now is the newest reading.
func (w *window) now() float64 { return w.idle[w.n-1] }
