package guard

import "time"

const (
	// tried is the primary's CPU seconds after which fewer cores are judged.
	tried = 1.0
	// gain is the part of the delay that they must have left at most, to be worth
	// their cost.
	gain = 0.8
	// barren is how long they are not tried again when they were not.
	barren = 5 * time.Minute
)

// worth judges whether fewer cores help. They need not: of a server at 30 % load
// of two cores, batch on one of them left the p99 where it was and cost 40 % of
// the harvest; at 60 and 85 % it halved the excess (Linux 6.18).
type worth struct {
	all, fewer share // with all cores, of late; with the fewest, since then
	until      time.Time
	hopeless   float64 // delay at which they did not help
}

// share is delay per CPU second, as sums.
type share struct{ delayed, ran float64 }

func (s *share) add(d growth) { s.delayed, s.ran = s.delayed+d.delayed, s.ran+d.ran }

func (s *share) rate() float64 {
	if s.ran <= 0 {
		return 0
	}
	return s.delayed / s.ran
}

// note takes a sample with all cores, with the fewest, or between.
func (w *worth) note(d growth, all, fewest bool) {
	switch {
	case all:
		if w.all.ran > tried { // forget the older half
			w.all.delayed, w.all.ran = w.all.delayed/2, w.all.ran/2
		}
		w.all.add(d)
		w.fewer = share{}
	case fewest:
		w.fewer.add(d)
	}
}

// vain reports that the fewest cores were tried and left the delay as it was.
func (w *worth) vain(now time.Time) bool {
	if w.fewer.ran < tried || w.fewer.rate() <= gain*w.all.rate() {
		return false
	}
	w.until, w.hopeless = now.Add(barren), w.all.rate()
	return true
}

// hopes reports whether fewer cores may be tried: they were not in vain of late,
// or the delay is twice what it was then.
func (w *worth) hopes(now time.Time) bool {
	return !now.Before(w.until) || w.all.rate() > 2*w.hopeless
}
