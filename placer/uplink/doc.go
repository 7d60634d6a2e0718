// Package uplink learns what the links above racks give, from what tasks fetched. Where all of the latest shuffles
// that pressed a link had less of it than it is declared to have, the link counts for the most that one of them had.
//
//	links.Add(stage, transfers, until, capacity)      // when a task has finished
//	links.JudgeStage(stage, now, capacity, primaries)       // when its stage has
//	rate, learnt := links.Rate(uplink.Link{Rack: "r1", Up: true}, declared, now)
//
// A rate that was seen is proof that the link can give it, so the greatest counts: a slow disk or a busy host makes
// single shuffles slow, and all of them seldom. What is learnt lapses after a day without another shuffle, so that a
// repaired link is tried again.
//
// The package is pure: times are those of the log.
package uplink
