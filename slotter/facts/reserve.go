package facts

import (
	"lull/subjects"
	"lull/subjects/room"
	"lull/subjects/tct"
)

// FollowReserve takes in what the host's reserve reckons with, and reports whether it allows
// batch work more or less than before. The host itself reckons alike, and declines what it
// does not allow.
func (h *Host) FollowReserve(u *subjects.Usage) (changed bool) {
	allowed, short, broken := h.allowed(), h.meter.Short, h.ReserveBroken
	h.meter.Add(room.Of(&h.Life.Joined), u)
	h.ReserveBroken = false
	return broken || h.allowed() != allowed || h.meter.Short != short
}

// NoteBroken notes that a host took a slot back, or refused one, for the sake of a reserve that
// it announced. The sample which shows the reason may come later than that. Until then it is not
// known what the reserve allows.
func (s *Hosts) NoteBroken(name, reason string) {
	if h := s.Of[name]; h != nil && reason == subjects.ReasonReserve {
		kept := room.Of(&h.Life.Joined)
		h.ReserveBroken = kept.CPU > 0 || kept.Memory > 0
	}
}

// Steps returns the residuals, as models see them, of the busy slots and of one more; 0 for one
// that is too little to run on.
func (h *Host) Steps() [2]int {
	return [2]int{usableStep(h.Residual(0)), usableStep(h.Residual(1))}
}

func usableStep(residual float64) int {
	if residual < tct.MinResidual {
		return 0
	}
	return tct.Step(residual)
}
