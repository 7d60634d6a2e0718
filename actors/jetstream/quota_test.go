package jetstream

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"lull/actors"
	"lull/subjects"
)

// shrink sets a stream's quota, as an operator may.
func shrink(t *testing.T, bus *Bus, name string, bytes int64) {
	t.Helper()
	stream, err := bus.js.Stream(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	config := stream.CachedInfo().Config
	if config.MaxBytes <= 0 || config.Discard != jetstream.DiscardNew {
		t.Fatalf("quota of stream %s = %d bytes, discards %v, want one that discards what is new", name, config.MaxBytes, config.Discard)
	}
	config.MaxBytes = bytes
	if _, err := bus.js.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
}

// Clients' messages fill the inbox, not the disk. Further ones are refused with
// ErrQuota, the log accepts events, and dropping what it has dealt with makes room.
func TestAFullInboxLeavesTheLogItsRoom(t *testing.T) {
	bus, _ := openTest(t)
	shrink(t, bus, bus.pool.Inbox(), 1<<20)
	send := func() error {
		_, err := bus.js.PublishMsg(t.Context(), &nats.Msg{Subject: bus.pool.Submit(), Data: make([]byte, 300<<10)})
		return err
	}
	var err error
	sent := uint64(0)
	for ; err == nil && sent < 10; sent++ {
		err = send()
	}
	if err == nil || !errors.Is(ExplainError(err), ErrQuota) || !strings.Contains(ExplainError(err).Error(), "no room") {
		t.Fatalf("send after %d messages = %v, want ErrQuota: no room", sent, err)
	}
	if _, err := bus.Append(t.Context(), []subjects.Message{{Subject: bus.pool.Led("a", "b")}}, actors.Fence{}); err != nil {
		t.Errorf("Append beside a full inbox = %v, want no error", err)
	}
	if err := bus.MakeRoom(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	if err := send(); err != nil {
		t.Errorf("send behind what was dealt with = %v, want no error", err)
	}
	stream, err := bus.js.Stream(t.Context(), bus.pool.Inbox())
	if err != nil || stream.CachedInfo().State.FirstSeq != 3 {
		t.Errorf("inbox starts elsewhere than at 3 or %v, want what was not dealt with kept", err)
	}
}

func TestAnInboxWithRoomKeepsWhatWasDealtWith(t *testing.T) {
	bus, _ := openTest(t)
	if _, err := bus.js.Publish(t.Context(), bus.pool.Submit(), []byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := bus.MakeRoom(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if stream, err := bus.js.Stream(t.Context(), bus.pool.Inbox()); err != nil || stream.CachedInfo().State.Msgs != 1 {
		t.Errorf("inbox with room: messages kept are not 1 or %v, want what was dealt with kept", err)
	}
}

// A pool that an older version made gets the default quotas; quotas that an operator
// set stay.
func TestPoolsOfOlderVersionsGetQuotas(t *testing.T) {
	bus, nc := openTest(t)
	for _, name := range []string{bus.pool.Inbox(), bus.pool.Lists(), "OBJ_" + bus.pool.Objects()} {
		shrink(t, bus, name, -1)
	}
	if _, err := Open(t.Context(), nc, "test"); err != nil {
		t.Fatal(err)
	}
	shrink(t, bus, "OBJ_"+bus.pool.Objects(), 3<<20)
	shrink(t, bus, bus.pool.Inbox(), 5<<20)
	if _, err := Open(t.Context(), nc, "test"); err != nil {
		t.Fatal(err)
	}
	stream, err := bus.js.Stream(t.Context(), bus.pool.Inbox())
	if err != nil || stream.CachedInfo().Config.MaxBytes != 5<<20 {
		t.Errorf("MaxBytes is not 5 MiB or %v, want the operator's quota kept", err)
	}
}

// pieces counts the messages in the snapshots' bucket that hold parts of bodies.
func pieces(t *testing.T, bus *Bus) (n int) {
	t.Helper()
	stream, err := bus.js.Stream(t.Context(), "OBJ_"+bus.pool.Snapshots())
	if err != nil {
		t.Fatal(err)
	}
	info, err := stream.Info(t.Context(), jetstream.WithSubjectFilter(chunkSubject(bus.pool.Snapshots(), "*")))
	if err != nil {
		t.Fatal(err)
	}
	for _, messages := range info.State.Subjects {
		n += int(messages)
	}
	return n
}

func TestAPutThatFailsLeavesNoPieces(t *testing.T) {
	bus, _ := openTest(t)
	bucket := "OBJ_" + bus.pool.Snapshots()
	stream, err := bus.js.Stream(t.Context(), bucket)
	if err != nil {
		t.Fatal(err)
	}
	config := stream.CachedInfo().Config
	config.MaxBytes = 3 * chunk
	if _, err := bus.js.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	all := func(*jetstream.ObjectInfo) (bool, error) { return true, nil }
	meta := jetstream.ObjectMeta{Name: "x"}
	if err := bus.putObject(t.Context(), bus.pool.Snapshots(), meta, make([]byte, 4*chunk), all); err == nil {
		t.Fatal("putObject(four pieces, room for three) = nil, want an error")
	}
	if n := pieces(t, bus); n != 0 {
		t.Errorf("pieces left = %d, want 0", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := bus.replaceObject(ctx, bus.pool.Snapshots(), meta, make([]byte, chunk), nil, 0); err == nil {
		t.Fatal("replaceObject without time = nil, want an error")
	}
	if n := pieces(t, bus); n != 0 {
		t.Errorf("pieces left of a put whose time was over = %d, want 0", n)
	}
}

// A service that ends while it saves may never get the server's acknowledgement. Then the new
// snapshot stands, or the old one, but never a description without pieces.
func TestAPutCutOffAtItsEndLeavesAWholeObject(t *testing.T) {
	bus, nc := openTest(t)
	bucket := bus.pool.Snapshots()
	meta := jetstream.ObjectMeta{Name: "x"}
	all := func(*jetstream.ObjectInfo) (bool, error) { return true, nil }
	if err := bus.putObject(t.Context(), bucket, meta, []byte("first"), all); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		sent, err := nc.Subscribe(infoSubject(bucket, "x"), func(*nats.Msg) { cancel() })
		if err != nil {
			t.Fatal(err)
		}
		put := bus.putObject(ctx, bucket, meta, make([]byte, chunk+1), all)
		cancel()
		if err := sent.Unsubscribe(); err != nil {
			t.Fatal(err)
		}
		if _, err := bus.getObject(t.Context(), bucket, "x"); err != nil {
			t.Fatalf("getObject after a put that returned %v = %v, want no error", put, err)
		}
	}
}

// A process that is killed during a put leaves pieces behind. The next process
// removes them, and no piece of a complete object or of a put that still goes on.
func TestOrphanedPiecesAreSwept(t *testing.T) {
	bus, nc := openTest(t)
	bucket := bus.pool.Snapshots()
	put := func(b *Bus, name string) {
		t.Helper()
		all := func(*jetstream.ObjectInfo) (bool, error) { return true, nil }
		if err := b.putObject(t.Context(), bucket, jetstream.ObjectMeta{Name: name}, make([]byte, 2*chunk), all); err != nil {
			t.Fatal(err)
		}
	}
	put(bus, "whole")
	for i := range 1100 { // more than the server lists in one answer
		if err := bus.putInfo(t.Context(), jetstream.ObjectInfo{ObjectMeta: jetstream.ObjectMeta{Name: fmt.Sprint(i)}, Bucket: bucket}, 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := bus.js.Publish(t.Context(), chunkSubject(bucket, "orphan"), make([]byte, chunk)); err != nil {
		t.Fatal(err)
	}
	for _, age := range []time.Duration{time.Hour, 0} {
		next, err := Open(t.Context(), nc, "test")
		if err != nil {
			t.Fatal(err)
		}
		next.orphanAge = age
		put(next, "next")
		if n, want := pieces(t, bus), 4+min(1, int(age)); n != want {
			t.Errorf("behind pieces of %v or more: %d are left, want %d", age, n, want)
		}
	}
	if _, err := bus.getObject(t.Context(), bucket, "whole"); err != nil {
		t.Errorf("getObject(whole) = %v, want no error", err)
	}
}

// The messages that wait for a slow reader are bounded in bytes.
func TestReadersHoldFewBytes(t *testing.T) {
	bus, nc := openTest(t)
	const n, size = 100, 900 << 10
	heard, err := bus.Listen(t.Context(), bus.pool.Submit())
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		if _, err := bus.js.Publish(t.Context(), bus.pool.Submit(), make([]byte, size)); err != nil {
			t.Fatal(err)
		}
	}
	read, err := bus.Inbox(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	<-read
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	got := 1
	for range read {
		if held := len(read); held*size > followBytes+size {
			t.Fatalf("%d messages of %d bytes wait in memory, want at most %d bytes", held, size, followBytes+size)
		}
		if got++; got == n {
			break
		}
	}
	if err := bus.Publish(bus.pool.Submit(), []byte("end")); err != nil { // small enough for the room that is left
		t.Fatal(err)
	}
	core := 0
	for d := <-heard; len(d.Body) == size; d = <-heard {
		core++
	}
	if core == 0 || core*size > listenBytes+4*size {
		t.Errorf("%d messages of %d bytes waited for a slow reader, want 1 message to %d bytes", core, size, listenBytes+4*size)
	}
}
