package jetstream_test

import (
	"testing"
	"testing/synctest"
	"time"

	"lull/actors/conformance"
	"lull/actors/jetstream"
)

// TestConformanceInVirtualTime runs the suite against the real server inside
// a bubble: no listener, connections are pipes, and every lease and retry
// passes at once.
func TestConformanceInVirtualTime(t *testing.T) {
	for _, test := range conformance.Suite() {
		t.Run(test.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				// The server's flushers end within a tick of its shutdown,
				// and time stands still once the test is over.
				t.Cleanup(func() { time.Sleep(time.Minute) })
				test.Run(t, openQuiet)
			})
		})
	}
}

// openQuiet waits until the server is idle before it is shut down. A server that is shut down
// sleeps with a lock held. A request that waits for that lock would stop virtual time, because
// waiting for a mutex does not count as waiting there.
func openQuiet(t *testing.T) conformance.Fixture {
	f := open(t)
	// The client library keeps a lock while it looks for a stream that was deleted.
	f.RecreateInbox = nil
	recreate := f.Recreate
	f.Recreate = func() {
		time.Sleep(time.Millisecond) // or both logs would be made in one instant
		recreate()
	}
	t.Cleanup(func() {
		f.Bus.(*jetstream.Bus).Conn().Close()
		synctest.Wait()
	})
	return f
}
