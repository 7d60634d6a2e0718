package spectrum

import (
	"math"

	"lull/subjects/profile"
)

const (
	// constantSwing and periodicShare are the bounds of the reference classes in
	// which public series of usage are sorted.
	constantSwing = 0.05
	periodicShare = 0.40
	// weeklyShare is what weekly harmonics must hold beyond noise where the day's alone hold
	// less than periodicShare, and dayOfWeek what the day's must hold then.
	weeklyShare = 0.60
	dayOfWeek   = 0.15
	// clearly is the factor past a bound at which a tenant that had a pattern changes it.
	clearly = 1.2
	// leastDays is the least observation for a pattern.
	leastDays = 2
	// sureDays is the observation at which its length does not lower the confidence.
	sureDays = 7
)

// Judge returns the pattern of a shape and how sure that is: 0.5 on a bound and 1 far from all,
// less where fewer than seven days were observed, and 0 below two days.
func Judge(s Shape) (profile.Pattern, float64) { return bounds{constantSwing, periodicShare}.judge(s) }

// JudgeAgain is Judge for a tenant that had a pattern before. It keeps that one until the shape is
// clearly past its bound, so that a tenant near a bound does not change from day to day.
func JudgeAgain(s Shape, last profile.Pattern) (profile.Pattern, float64) {
	b := bounds{constantSwing / clearly, periodicShare}
	switch last {
	case profile.Constant:
		b.swing = constantSwing * clearly
	case profile.Periodic:
		b.share = periodicShare / clearly
	case profile.Unpredictable:
		b.share = periodicShare * clearly
	}
	return b.judge(s)
}

// bounds are where patterns part.
type bounds struct{ swing, share float64 }

func (b bounds) judge(s Shape) (profile.Pattern, float64) {
	if s.Days < leastDays {
		return profile.Unpredictable, 0
	}
	known := min(1, s.Days/sureDays)
	still := margin(b.swing/max(s.Swing, 1e-6), 1.5)
	if s.Swing <= b.swing {
		return profile.Constant, known * still
	}
	rhythm := max(s.Daily/b.share, min(s.Weekly/weeklyShare, s.Daily/dayOfWeek))
	confidence := known * min(still, margin(max(rhythm, 1e-6), 1.5))
	if rhythm >= 1 {
		return profile.Periodic, confidence
	}
	return profile.Unpredictable, confidence
}

// margin is 0.5 where a figure stands on its bound and 1 where they differ by the factor
// sure, either way.
func margin(ratio, sure float64) float64 {
	return 0.5 + 0.5*min(1, math.Abs(math.Log(ratio))/math.Log(sure))
}
