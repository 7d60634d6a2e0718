package jetstream

import (
	"errors"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
)

// A full stream of history refuses blocks and leaves the log its room.
func TestAFullHistoryLeavesTheLogItsRoom(t *testing.T) {
	bus, _ := openTest(t)
	shrink(t, bus, bus.pool.History(), 1<<20)
	put := func(host string) error {
		return bus.PutHistory(t.Context(), subjects.Message{Subject: bus.pool.OfHistory(host, "1"), Body: make([]byte, 60<<10)})
	}
	n := 0
	var err error
	for ; err == nil && n < 100; n++ {
		err = put(time.Duration(n).String())
	}
	if !errors.Is(err, actors.ErrHistoryFull) || n < 10 {
		t.Fatalf("PutHistory after %d blocks = %v, want ErrHistoryFull after at least 10", n, err)
	}
	if _, err := bus.Append(t.Context(), []subjects.Message{{Subject: bus.pool.Led("a", "b")}}, actors.Fence{}); err != nil {
		t.Errorf("Append beside a full history = %v, want no error", err)
	}
	stream, err := bus.js.Stream(t.Context(), bus.pool.History())
	if err != nil {
		t.Fatal(err)
	}
	config := stream.CachedInfo().Config
	if config.MaxAge != 31*24*time.Hour || config.MaxMsgsPerSubject != 1 || config.MaxMsgs > 400_000 {
		t.Errorf("bounds = %+v, want 31 days, a message a subject and at most 400000", config)
	}
	shrink(t, bus, bus.pool.History(), 2<<20)
	if err := put("again"); err != nil {
		t.Errorf("put with room again = %v, want no error", err)
	}
}

// Hosts of a pool that an older version made have no stream to write to.
func TestHistoryOfAPoolWithoutTheStream(t *testing.T) {
	bus, nc := openTest(t)
	if err := bus.js.DeleteStream(t.Context(), bus.pool.History()); err != nil {
		t.Fatal(err)
	}
	m := subjects.Message{Subject: bus.pool.OfHistory("a", "1")}
	if err := bus.PutHistory(t.Context(), m); err == nil || errors.Is(err, actors.ErrHistoryFull) {
		t.Errorf("PutHistory without a stream = %v, want another error than ErrHistoryFull", err)
	}
	if _, err := Open(t.Context(), nc, "test"); err != nil {
		t.Fatal(err)
	}
	if err := bus.PutHistory(t.Context(), m); err != nil {
		t.Error(err)
	}
}
