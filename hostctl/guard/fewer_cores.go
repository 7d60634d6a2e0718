package guard

import "time"

const (
	// judgeAfter is the primary's CPU seconds after which the effect of fewer cores is judged.
	judgeAfter = 1.0
	// mustDropTo is the share of the delay that may remain on fewer cores. If more remains,
	// they are not worth their cost.
	mustDropTo = 0.8
	// retryPause is how long fewer cores are not tried again after they failed.
	retryPause = 5 * time.Minute
)

// fewerCores judges whether fewer cores help; they do not always. Measured on two cores with Linux 6.18.
// Beside a server at 30 % load, batch work on one core left the p99 as it was and cost 40 % of the
// harvest. At 60 and 85 % load it halved the excess.
type fewerCores struct {
	all, fewer share // recently with all cores; since then with the fewest
	retryAt    time.Time
	failedAt   float64 // delay per CPU second at which they did not help
}

// share is delay per CPU second, kept as two sums.
type share struct{ delayed, ran float64 }

func (s *share) add(d growth) { s.delayed, s.ran = s.delayed+d.delayed, s.ran+d.ran }

func (s *share) rate() float64 {
	if s.ran <= 0 {
		return 0
	}
	return s.delayed / s.ran
}

// note adds a sample that was taken with all cores, with the fewest, or between.
func (w *fewerCores) note(d growth, all, fewest bool) {
	switch {
	case all:
		if w.all.ran > judgeAfter { // forget the older half
			w.all.delayed, w.all.ran = w.all.delayed/2, w.all.ran/2
		}
		w.all.add(d)
		w.fewer = share{}
	case fewest:
		w.fewer.add(d)
	}
}

// failed reports whether the fewest cores were tried and did not lower the delay.
func (w *fewerCores) failed(now time.Time) bool {
	if w.fewer.ran < judgeAfter || w.fewer.rate() <= mustDropTo*w.all.rate() {
		return false
	}
	w.retryAt, w.failedAt = now.Add(retryPause), w.all.rate()
	return true
}

// mayTry reports whether fewer cores may be tried: they did not fail recently, or the
// delay is more than twice what it was then.
func (w *fewerCores) mayTry(now time.Time) bool {
	return !now.Before(w.retryAt) || w.all.rate() > 2*w.failedAt
}
