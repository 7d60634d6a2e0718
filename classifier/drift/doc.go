// Package drift tells when a tenant is no longer the one of its profile, and when a new
// profile is worth saying.
//
//	verdict := drift.Look(&inForce, recentHours)
//	if verdict == drift.Changed {
//		// learn anew from the samples since drift.Since(now): little is known until there are two days
//	}
//	if reason := drift.Worth(&inForce, &fresh, now); reason != drift.None {
//		// say the fresh profile
//	}
//
// Look compares the means of the last five hours with what the profile expects of them. A
// profile knows how far five hours in a row ever strayed from it, and a tenant has changed
// where they stray half as far again and five points more. So a tenant that always bursts does
// not drift by bursting, an even one drifts within five hours, and a single hour does nothing.
//
// Worth keeps the log quiet: a profile is replaced when its pattern changed, when its hours or
// its peak moved out of what the old profile saw, and else once it is as old as its window.
//
// The package is pure.
package drift
