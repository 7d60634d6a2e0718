// Package pacing moves the tasks of a host at the rates that the pool gives them: the loop that
// measures each, the arithmetic of package pace that says which cap it takes, and the means to
// make the cap true.
//
//	Pacer      the loop: every pace.Sample it measures, divides, caps
//	Meter      how far a task has come: by its own report, its feed, its reads
//	Actuator   a cap by quota (slots.Caps), or by stopping for a part of each period
package pacing
