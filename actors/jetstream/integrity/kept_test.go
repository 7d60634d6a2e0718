package integrity_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	bus "lull/actors/jetstream"
	"lull/actors/jetstream/integrity"
)

// What the disk takes back while the server runs is missed at the next start: an
// orderly stop does not make the mark forget it.
func TestAnOrderlyStopHidesNoLoss(t *testing.T) {
	h := newHouse(t)
	h.must(func(b *bus.Bus) {
		say(t, b, 20)
		info, err := os.Stat(h.block())
		if err != nil {
			t.Fatal(err)
		}
		resize(t, h.block(), info.Size()/2)
	})
	loss := h.refused()
	if got := loss.Lost[0]; got.To != 20 || got.From < 5 {
		t.Errorf("lost = %+v, want from 5 or later to 20", got)
	}
	_ = h.refused() // and is reported again
}

// The server deletes messages at the beginning and in the middle of the stream of task lists.
// These are read by name, so no gap is a loss.
func TestListsThatWereRemovedAreNoLoss(t *testing.T) {
	h := newHouse(t)
	var names []string
	h.must(func(b *bus.Bus) {
		for i := range 4 {
			name, err := b.PutBlob(t.Context(), fmt.Appendf(nil, "list %d", i))
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, name)
		}
		for _, seq := range []uint64{1, 3} {
			deletePiece(t, b, seq)
		}
	})
	h.must(func(b *bus.Bus) {
		if _, err := b.ReadBlob(t.Context(), names[3], 0, 100); err != nil {
			t.Error(err)
		}
	})
	if len(h.messages) > 0 {
		t.Errorf("messages = %q, want none", h.messages)
	}
}

// What was removed to its end is not lost either, and its sequences stay given out.
func TestAnInboxThatWasEmptiedIsNoLoss(t *testing.T) {
	h := newHouse(t)
	inbox := func(b *bus.Bus) jetstream.Stream {
		js, err := jetstream.New(b.Conn())
		if err != nil {
			t.Fatal(err)
		}
		s, err := js.Stream(t.Context(), pool.Inbox())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	h.must(func(b *bus.Bus) {
		for range 5 {
			if _, err := b.Conn().Request(pool.Request("cancel"), []byte("{}"), time.Minute); err != nil {
				t.Fatal(err)
			}
		}
		if err := inbox(b).Purge(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
	for range 2 {
		h.must(func(b *bus.Bus) {
			if last := inbox(b).CachedInfo().State.LastSeq; last != 5 {
				t.Errorf("the inbox ends at %d, want 5", last)
			}
		})
	}
	if len(h.messages) > 0 {
		t.Errorf("messages = %q, want none", h.messages)
	}
}

func deletePiece(t *testing.T, b *bus.Bus, seq uint64) {
	t.Helper()
	js, err := jetstream.New(b.Conn())
	if err != nil {
		t.Fatal(err)
	}
	lists, err := js.Stream(t.Context(), pool.Lists())
	if err == nil {
		err = lists.DeleteMsg(t.Context(), seq)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A stream that the server passes over would be made anew, and all of it forgotten.
func TestAStreamThatTheServerCannotOpen(t *testing.T) {
	h := newHouse(t)
	h.must(func(b *bus.Bus) { say(t, b, 3) })
	mark := filepath.Join(h.dir, "mark")
	before, err := integrity.LoadMark(mark)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(h.dir, "nats/jetstream/$G/streams/other")
	integrity.Forge(t, other, `{"name": 5}`) // as no server reads it, though no byte is damaged
	err = h.with(h.config(), func(*bus.Bus) {})
	if err == nil || !strings.Contains(err.Error(), "could not open the stream in "+other) {
		t.Fatalf("started with %v, want an error on %s", err, other)
	}
	after, err := integrity.LoadMark(mark)
	if err != nil || after.Streams["$G/streams/"+pool.Log()].Last != before.Streams["$G/streams/"+pool.Log()].Last {
		t.Errorf("mark = %+v, %v, want the log's last sequence as before", after, err)
	}
	if err := os.RemoveAll(other); err != nil {
		t.Fatal(err)
	}
	h.must(func(b *bus.Bus) {
		if all, _ := entries(t, b); len(all) != 3 {
			t.Errorf("entries = %v, want three", all)
		}
	})
}
