package jetstream

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"lull/actors"
	"lull/actors/jetstream/embedded"
	"lull/actors/jetstream/embedded/embeddedtest"
	"lull/subjects"
)

// OpenTest is openTest for the tests outside the package.
var OpenTest = openTest

func openTest(t *testing.T) (*Bus, *nats.Conn) {
	t.Helper()
	return openAt(t, embedded.Config{Pools: []subjects.Pool{"test"}})
}

func openAt(t *testing.T, cfg embedded.Config) (*Bus, *nats.Conn) {
	t.Helper()
	nc := embeddedtest.Conn(t, embeddedtest.Start(t, cfg))
	bus, err := Open(t.Context(), nc, "test")
	if err != nil {
		t.Fatal(err)
	}
	return bus, nc
}

// occupy opens as many batches on the pool's log as the server allows, and
// commits none.
func occupy(t *testing.T, nc *nats.Conn, pool subjects.Pool) {
	t.Helper()
	for i := range 60 {
		m := &nats.Msg{Subject: pool.Led("x", "y"), Header: nats.Header{}}
		setHeader(m, batchID, "open"+strconv.Itoa(i))
		setHeader(m, batchSeq, "1")
		if _, err := nc.RequestMsg(m, appendWait); err != nil {
			t.Fatal(err)
		}
	}
}

// When a client has all atomic batches open, a batch fails with ErrBatches, not as if the disk were
// full, and a single event is appended.
func TestOpenBatchesOfOthersAreNamed(t *testing.T) {
	bus, nc := openTest(t)
	occupy(t, nc, bus.Pool())
	two := []subjects.Message{{Subject: bus.Pool().Led("a", "b")}, {Subject: bus.Pool().Led("a", "b")}}
	_, err := bus.Append(t.Context(), two, actors.Fence{})
	if !errors.Is(err, actors.ErrBatches) || errors.Is(err, actors.ErrFull) || strings.Contains(err.Error(), "disk") {
		t.Errorf("error %v, want ErrBatches", err)
	}
	if seq, err := bus.Append(t.Context(), two[:1], actors.Fence{}); seq != 1 || err != nil {
		t.Errorf("Append(a single event) = %d, %v, want 1", seq, err)
	}
}

// The probe that asks why a batch is incomplete leaves no batch open.
func TestAskingWhyOpensNoBatch(t *testing.T) {
	bus, _ := openTest(t)
	for range 60 {
		first := &nats.Msg{Subject: bus.Pool().Led("x", "y")}
		if err := bus.incomplete(t.Context(), first, errIncomplete); !errors.Is(err, actors.ErrFull) {
			t.Fatalf("error %v, want that of the batch", err)
		}
	}
	two := []subjects.Message{{Subject: bus.Pool().Led("a", "b")}, {Subject: bus.Pool().Led("a", "b")}}
	if seq, err := bus.Append(t.Context(), two, actors.Fence{}); seq != 2 || err != nil {
		t.Errorf("Append(two events) = %d, %v, want 2", seq, err)
	}
}
