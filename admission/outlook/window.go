package outlook

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

// Window is what a host's primary left idle lately, in cores. Predictions for the next
// minutes rest on its mean: by the present reading, whatever came in a bad second would be
// rejected. How far they err is learnt from what became of promises: see package book.
type Window struct {
	idle  [buckets]float64
	n     int   // readings
	last  int64 // bucket of the newest reading, which is idle[n-1]
	First int64 // time of the host's first sample
	Heard int64 // time of its last

	Meter room.Meter // what the host's reserve reckons with

	// What the host says of the last week: idle cores on average, over so many seconds.
	Mean, Observed, Cores float64
}

// Add takes in a reading. A host that was silent for a while is taken to have
// been as it was.
func (w *Window) Add(now int64, idle float64) {
	at := now / bucket
	switch {
	case w.n == 0:
		w.n, w.last, w.First = 1, at, now
	case at > w.last:
		for range min(at-w.last, buckets) {
			w.push()
		}
		w.last = at
	}
	w.Heard = now
	w.idle[w.n-1] = idle
}

// push opens the next bucket, with the last reading until there is a new one.
func (w *Window) push() {
	last := w.idle[w.n-1]
	if w.n == buckets {
		copy(w.idle[:], w.idle[1:])
		w.n--
	}
	w.idle[w.n] = last
	w.n++
}

// Lately is the mean of the window.
func (w *Window) Lately() float64 {
	sum := 0.0
	for _, v := range w.idle[:w.n] {
		sum += v
	}
	return sum / float64(w.n)
}

// Now is the newest reading.
func (w *Window) Now() float64 { return w.idle[w.n-1] }
