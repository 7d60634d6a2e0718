// Package speeds measures how fast tasks read, while they run.
//
//	m := speeds.New(speeds.Measured{Root: "/", Slot: slot, Attempt: attempt, Progress: file})
//	m.Begin(now)          // when the process starts
//	m.Measure()           // once a second
//	m.Complete(&run, n)   // into the report of its end
//
// Reporter measures all tasks of a host once a second and publishes their rates, for people. No
// task has a goroutine for it, and the heartbeats do not wait for it. A task that ends within the
// second is not measured.
//
// Locks: Meter's mu is a leaf.
package speeds
