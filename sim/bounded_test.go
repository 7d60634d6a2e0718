package sim

import (
	"fmt"
	"testing"
	"time"

	"lull/subjects"
)

// TestTheLogIsBounded runs a pool with hosts that never restart, except three. One dies and never
// returns, one is paused for long, and one dies and returns after its part of the log was trimmed.
// Neither the oldest term nor the oldest snapshot keeps entries: the log stays within Keep and two
// services' snapshots. The host that returns also reports the end of attempts with trimmed
// assignments.
func TestTheLogIsBounded(t *testing.T) {
	entries := uint64(400_000)
	if testing.Short() {
		entries = 50_000
	}
	s := Scenario{Seed: 1, SnapshotEvery: entries / 40, Keep: entries / 20, Types: []Truth{flat("tiny", 0.02)}}
	const tasks = 500 // a job: two entries each
	for i := range entries / 2 / tasks {
		s.Jobs = append(s.Jobs, Job{At: time.Minute + time.Duration(i)*700*time.Millisecond, Spec: work("tiny", tasks)})
	}
	for i := range 6 {
		s.Hosts = append(s.Hosts, Host{Name: fmt.Sprintf("h%d", i), Cores: 4, Load: Steady(0)})
	}
	most, called, returned := uint64(0), false, false
	finish(t, withPlan(s, func(w *World) {
		w.At(30*time.Second, func() { say(t, w, &subjects.Paused{Host: "h1"}) })
		w.At(70*time.Second, func() { w.PowerOff("h2"); w.PowerOff("h3") })
		w.Watch = func(now time.Duration, seq uint64, e subjects.Event) {
			first, end := w.Log()
			most = max(most, end+1-first)
			if seq > entries*3/4 && !called {
				called = true // its snapshot, its term and its tasks are out of the log
				w.At(now, func() { w.PowerOn("h3"); say(t, w, &subjects.Resumed{Host: "h1"}) })
			}
			if f, ok := e.(*subjects.Finished); ok && called && f.Host == "h3" {
				returned = true
			}
		}
	}))
	if limit := s.Keep + 4*s.SnapshotEvery; most > limit {
		t.Errorf("most entries in the log = %d, want at most %d", most, limit)
	}
	if !returned {
		t.Error("tasks finished on h3 after its return = 0, want at least 1")
	}
}
