package jetstream

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"lull/actors/jetstream/embedded"
	"lull/actors/jetstream/embedded/embeddedtest"
)

// A process whose clock is ahead of the server's takes no piece for old that another process has just put.
func TestAClockThatIsAheadMakesNoPieceAnOrphan(t *testing.T) {
	server := embeddedtest.Start(t, embedded.Config{Listen: "127.0.0.1:0"})
	synctest.Test(t, func(t *testing.T) { // its clock begins in the year 2000
		time.Sleep(100 * 365 * 24 * time.Hour)
		nc, err := nats.Connect(server.URL())
		if err != nil {
			t.Fatal(err)
		}
		defer nc.Close()
		bus, err := Open(t.Context(), nc, "test")
		if err != nil {
			t.Fatal(err)
		}
		bucket := bus.pool.Snapshots()
		if _, err := bus.js.Publish(t.Context(), chunkSubject(bucket, "underway"), make([]byte, chunk)); err != nil {
			t.Fatal(err)
		}
		all := func(*jetstream.ObjectInfo) (bool, error) { return true, nil }
		if err := bus.putObject(t.Context(), bucket, jetstream.ObjectMeta{Name: "next"}, make([]byte, 2*chunk), all); err != nil {
			t.Fatal(err)
		}
		if n := pieces(t, bus); n != 3 {
			t.Errorf("%d pieces are left, want 3", n)
		}
	})
}
