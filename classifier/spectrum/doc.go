// Package spectrum finds how a tenant uses its servers from the Fourier transform of its hourly
// means (History-based harvesting, OSDI 2016, section 3.2):
//
//	constant       the hourly means stay within 5 points of the host's cores (95th less 5th percentile)
//	periodic       not constant, and the day repeats: at least 40 % of the energy that is not
//	               the mean stands at 24 hours and its harmonics
//	unpredictable  anything else, and whatever was observed for less than two days
//
//	analyser := spectrum.NewAnalyser()
//	shape := analyser.Shape(hours)
//	pattern, confidence := spectrum.Judge(shape)
//
// # What must not change the verdict
//
// One day may be unlike all others, such as a migration. Shape then leaves out the day that differs
// most from the median day, if that day alone has more energy than it would among days that are
// alike.
//
// A tenant that works five days of seven repeats by the week. Its energy is at 168 hours and
// harmonics. In a window of whole weeks those count as periodic where they exceed by far what noise
// would put there, and the day itself is seen too.
//
// An hour's shift, as with daylight saving: the day keeps its frequency, and the shift
// spreads little of its energy.
//
// The package is pure.
package spectrum
