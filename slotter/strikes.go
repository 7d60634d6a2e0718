package slotter

import "slices"

// strike counts how often a host's beats and the ledger disagreed about an attempt. A
// report of its end may be on its way, so one beat proves nothing.
type strike struct {
	attempt uint64
	beats   int
	limit   int // at which it is revoked; doubles each time
}

const (
	firstLimit = 3
	lastLimit  = 64
)

// strike counts another disagreement about an attempt. was is what counted until now.
func (s *hosts) strike(h *host, was []strike, attempt uint64) {
	one := strike{attempt: attempt, limit: firstLimit}
	if i := slices.IndexFunc(was, func(s strike) bool { return s.attempt == attempt }); i >= 0 {
		one = was[i]
	}
	one.beats++
	s.addStrike(h, one)
}

// revokeNext has an attempt revoked with the next decision.
func (s *hosts) revokeNext(h *host, attempt uint64) {
	s.addStrike(h, strike{attempt: attempt, beats: firstLimit, limit: firstLimit})
}

func (s *hosts) addStrike(h *host, one strike) {
	if h.strikes = append(h.strikes, one); len(h.strikes) == 1 {
		s.struck++
	}
}

// clearStrikes removes all strikes of a host, and returns them.
func (s *hosts) clearStrikes(h *host) (was []strike) {
	if was, h.strikes = h.strikes, nil; len(was) > 0 {
		s.struck--
	}
	return was
}
