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
	// minute is how many readings are averaged: the time of a short job.
	minute = 6
)

// window is what a host's primary left idle lately, in cores. Promises rest on
// the lower quartile of its means over a minute. The means take out what comes
// and goes within seconds, which a job does not notice either. The quartile
// leans to the busy side: a load that stays counts in full after two minutes,
// relief only after four, because a promise may err on one side alone. Half a
// minute without any idle core lowers it by a third at most; by the present
// reading, whatever came in a bad second would be rejected.
type window struct {
	idle  [buckets]float64
	n     int   // readings
	last  int64 // bucket of the newest reading, which is idle[n-1]
	first int64 // when the host was heard first
	heard int64 // when it was heard last

	// What the host says of the last week: idle cores on average, over so many seconds.
	mean, observed, cores float64

	fresh bool    // low is that of the readings
	low   float64 // quartile
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
	if before := w.idle[w.n-1]; before < idle || before > idle || w.n == 1 {
		w.idle[w.n-1], w.fresh = idle, false
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
	w.fresh = false
}

// quartile is what promises rest on. There are more readings than looks at
// them, so it is brought up to date here.
func (w *window) quartile() float64 {
	if !w.fresh {
		w.fresh, w.low = true, w.lower()
	}
	return w.low
}

// lower is the lower quartile of the means over a minute.
func (w *window) lower() float64 {
	var means [buckets]float64
	n := max(w.n-minute+1, 1)
	for i := range n {
		means[i] = mean(w.idle[i:min(i+minute, w.n)])
	}
	slices.Sort(means[:n])
	return means[(n-1)/4]
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// now is the newest reading.
func (w *window) now() float64 { return w.idle[w.n-1] }
