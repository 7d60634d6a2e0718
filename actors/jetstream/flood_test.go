package jetstream

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/nats-io/nats.go"

	"lull/actors"
	"lull/actors/jetstream/embedded"
	"lull/subjects"
)

// Each message that waits for the log costs an fsync before the next batch of a
// service is stored, so the server's queue is bounded.
func TestAFloodOfTheLogWaitsInABoundedQueue(t *testing.T) {
	bus, nc := openAt(t, embedded.Config{Dir: t.TempDir(), SyncAlways: true, Pools: []subjects.Pool{"test"}})
	for i := range 20_000 {
		if err := nc.Publish(bus.Pool().Led("x", fmt.Sprint(i)), []byte("garbage")); err != nil {
			t.Fatal(err)
		}
	}
	if err := nc.Flush(); err != nil { // now each is queued, stored or dropped
		t.Fatal(err)
	}
	before, err := bus.Log(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// At most one full queue that the server has already taken, and one that waits.
	seq, tries := appendWhenTaken(t, bus)
	if seq > before.Last+2*embedded.MaxWaiting+tries {
		t.Errorf("%d messages were kept before an event that came behind the flood, want %d at most", seq-before.Last-tries, 2*embedded.MaxWaiting)
	}
}

// appendWhenTaken sends an event again, like a shell, while the server is busy.
func appendWhenTaken(t *testing.T, bus *Bus) (seq, tries uint64) {
	t.Helper()
	for {
		tries++
		seq, err := bus.Append(t.Context(), []subjects.Message{{Subject: bus.Pool().Led("a", "b")}}, actors.Fence{})
		if err == nil {
			return seq, tries
		}
		if !errors.Is(err, actors.ErrBusy) && !errors.Is(err, actors.ErrUnknown) {
			t.Fatal(err)
		}
	}
}

// A message that found no room in the queue is certainly not in the log: the outcome
// is ErrBusy, not ErrUnknown.
func TestABusyServerHasAppendedNothing(t *testing.T) {
	_, nc := openTest(t)
	answer := nats.NewInbox()
	sub, err := nc.Subscribe(answer, func(m *nats.Msg) {
		_ = m.Respond(fmt.Appendf(nil, `{"error":{"code":%d,"err_code":10167,"description":"too many requests"}}`, http.StatusTooManyRequests))
	})
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Unsubscribe() //nolint:errcheck // the connection ends with the test
	bus := &Bus{pool: "test", nc: nc}
	_, err = bus.Append(t.Context(), []subjects.Message{{Subject: answer}}, actors.Fence{})
	if !errors.Is(err, actors.ErrBusy) || errors.Is(err, actors.ErrUnknown) || errors.Is(err, actors.ErrFull) {
		t.Errorf("error %v, want ErrBusy", err)
	}
}
