package admission

import (
	"time"

	"lull/subjects/room"
)

const (
	// bucket is the time for which one reading stands. Usage.Idle is a mean
	// over ten seconds, so one reading in ten seconds misses nothing.
	bucket = int64(10 * time.Second)
	// buckets make the window that stands for the present: five minutes.
	buckets = 30
)

// window is what a host's primary left idle lately, in cores. Predictions for the next
// minutes rest on its mean: by the present reading, whatever came in a bad second would be
// rejected. How far they err is learnt from what became of promises: see calibration.
type window struct {
	idle  [buckets]float64
	n     int   // readings
	last  int64 // bucket of the newest reading, which is idle[n-1]
	first int64 // time of the host's first sample
	heard int64 // time of its last

	meter room.Meter // what the host's reserve reckons with

	// What the host says of the last week: idle cores on average, over so many seconds.
	mean, observed, cores float64
}

// add takes in a reading. A host that was silent for a while is taken to have
// been as it was.
func (w *window) add(now int64, idle float64) {
	at := now / bucket
	switch {
	case w.n == 0:
		w.n, w.last, w.first = 1, at, now
	case at > w.last:
		for range min(at-w.last, buckets) {
			w.push()
		}
		w.last = at
	}
	w.heard = now
	w.idle[w.n-1] = idle
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
}

// lately is the mean of the window.
func (w *window) lately() float64 {
	sum := 0.0
	for _, v := range w.idle[:w.n] {
		sum += v
	}
	return sum / float64(w.n)
}

// now is the newest reading.
func (w *window) now() float64 { return w.idle[w.n-1] }
