// Package drift decides when a tenant no longer follows its profile, and when a new profile is
// worth an event.
//
//	verdict := drift.Look(&inForce, recentHours)
//	if verdict == drift.Changed {
//		// learn anew from the samples since drift.Since(now): little is known until there are two days
//	}
//	if reason := drift.ReportReason(&inForce, &fresh, now); reason != drift.None {
//		// report the fresh profile
//	}
//
// Look compares the means of the last five hours with the profile's. A profile knows how far five
// hours in a row ever strayed from it. A tenant has changed when they stray half as far again and
// five points more. So a tenant that always bursts does not drift by bursting, an even one drifts
// within five hours, and a single hour does nothing.
//
// ReportReason keeps events few. A profile is replaced when its pattern changed, or when its hours or
// its peak left the range of the old profile. Otherwise it is replaced once it is as old as its
// window.
//
// The package is pure.
package drift
