package jetstream_test

import (
	"testing"
	"testing/synctest"
	"time"

	"lull/actors/conformance"
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
				test.Run(t, open)
			})
		})
	}
}
