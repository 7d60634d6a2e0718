// Package pacing runs the tasks of a host at the rates that the pool sets. It measures each task,
// asks package pace for its CPU cap, and applies the cap.
//
//	Pacer      the loop: every pace.Sample it measures tasks, divides the cores, sets caps
//	Meter      the progress of a task: by its own report, its feed, its reads
//	Actuator   applies a cap by quota (slots.Caps), or by freezing for a part of each period
package pacing
