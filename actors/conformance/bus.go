package conformance

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
)

var busSuite = []Test{
	{"bus/append is all or nothing", appendAtomic},
	{"bus/follow from the middle with a filter", followFilter},
	{"bus/trim", trimLog},
	{"bus/snapshots", keepSnapshots},
	{"bus/lease", keepLease},
	{"bus/quarantine keeps once", quarantineOnce},
	{"bus/listen and publish", listenPublish},
}

func encode(t *testing.T, bus actors.Bus, events ...subjects.Event) []subjects.Message {
	t.Helper()
	batch := make([]subjects.Message, len(events))
	for i, e := range events {
		m, err := subjects.Encode(bus.Pool(), e)
		if err != nil {
			t.Fatal(err)
		}
		batch[i] = m
	}
	return batch
}

func appendAtomic(t *testing.T, open Opener) {
	bus := open(t).Bus
	led := bus.Pool().Led("x", "y")
	claim := encode(t, bus, &subjects.Led{Actor: "x", Partition: "y"})
	first, err := bus.Append(t.Context(), claim, actors.Fence{Subject: led})
	if err != nil || first != 1 {
		t.Fatalf("first claim = %d, %v, want 1", first, err)
	}
	if _, err := bus.Append(t.Context(), claim, actors.Fence{Subject: led}); !errors.Is(err, actors.ErrFenced) {
		t.Errorf("second claim on no Led = %v, want ErrFenced", err)
	}
	for _, size := range []int{1, 2, 7, actors.MaxBatch} {
		before := lastSequence(t, bus)
		batch := encode(t, bus, repeat(drain("a"), size)...)
		if _, err := bus.Append(t.Context(), batch, actors.Fence{Subject: led, Seq: first + 1}); !errors.Is(err, actors.ErrFenced) {
			t.Errorf("Append(%d, a wrong fence) = %v, want ErrFenced", size, err)
		}
		if got := lastSequence(t, bus); got != before {
			t.Errorf("a refused batch of %d: the log ends at %d, want %d", size, got, before)
		}
		seq, err := bus.Append(t.Context(), batch, actors.Fence{Subject: led, Seq: first})
		if err != nil || seq != before+uint64(size) {
			t.Errorf("Append(%d) = %d, %v, want %d", size, seq, err, before+uint64(size))
		}
	}
}

func repeat(e subjects.Event, n int) []subjects.Event {
	events := make([]subjects.Event, n)
	for i := range events {
		events[i] = e
	}
	return events
}

func lastSequence(t *testing.T, bus actors.Bus) uint64 {
	t.Helper()
	info, err := bus.Log(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return info.Last
}

func followFilter(t *testing.T, open Opener) {
	bus := open(t).Bus
	for i := range 30 {
		appendEvents(t, bus, drain(fmt.Sprintf("h%d", i%3)))
	}
	end := appendEvents(t, bus, drain("h0"))
	ctx, cancel := context.WithTimeout(t.Context(), patienceLimit)
	defer cancel()
	messages, err := bus.Follow(ctx, 11, bus.Pool().OfHost("h0"))
	if err != nil {
		t.Fatal(err)
	}
	var seqs []uint64
	for d := range messages {
		seqs = append(seqs, d.Seq)
		if d.Time.IsZero() || d.Subject != "lull.test.host.h0.drained" {
			t.Fatalf("delivered %+v, want Drained of h0 with its time", d)
		}
		if d.Seq == end {
			break
		}
	}
	if want := "[13 16 19 22 25 28 31]"; fmt.Sprint(seqs) != want {
		t.Errorf("sequences %v, want %s", seqs, want)
	}
	live := appendEvents(t, bus, drain("h1"), drain("h0")) // and what comes while it reads
	if d := <-messages; d.Seq != live {
		t.Errorf("the next delivery is %d, want %d", d.Seq, live)
	}
	cancel()
	for range messages { // ends
	}
}

func trimLog(t *testing.T, open Opener) {
	bus := open(t).Bus
	for range 5 {
		appendEvents(t, bus, drain("a"))
	}
	for _, step := range []struct{ below, first uint64 }{{4, 4}, {2, 4}, {6, 6}} {
		if err := bus.Trim(t.Context(), step.below); err != nil {
			t.Fatal(err)
		}
		if info, _ := bus.Log(t.Context()); info.First != step.first || info.Last != 5 {
			t.Errorf("Trim(%d): log = %+v, want %d to 5", step.below, info, step.first)
		}
	}
	if seq := appendEvents(t, bus, drain("a")); seq != 6 {
		t.Errorf("next entry = %d, want 6", seq)
	}
}

func keepSnapshots(t *testing.T, open Opener) {
	bus := open(t).Bus
	if _, err := bus.Load(t.Context(), "a.x"); !errors.Is(err, actors.ErrNoSnapshot) {
		t.Errorf("Load before Save = %v, want ErrNoSnapshot", err)
	}
	big := make([]byte, 1<<20) // more than one chunk of an object
	now := time.Now().UTC()
	for i, s := range []actors.Snapshot{{Created: now, Seq: 1, State: []byte("old")}, {Created: now, Seq: 2, Version: 3, Led: 1, State: big}} {
		if err := bus.Save(t.Context(), "a.x", s); err != nil {
			t.Fatal(i, err)
		}
	}
	got, err := bus.Load(t.Context(), "a.x")
	if err != nil || got.Seq != 2 || got.Version != 3 || got.Led != 1 || len(got.State) != len(big) || !got.Created.Equal(now) {
		t.Errorf("Load = %d bytes of %+v, %v, want %d bytes at 2, version 3, led 1", len(got.State), got.Seq, err, len(big))
	}
	if all, err := bus.Snapshots(t.Context()); err != nil || len(all) != 1 || all["a.x"] != 2 {
		t.Errorf("Snapshots() = %v, %v, want a.x at 2", all, err)
	}
	for range 2 {
		if err := bus.Forget(t.Context(), "a.x"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := bus.Load(t.Context(), "a.x"); !errors.Is(err, actors.ErrNoSnapshot) {
		t.Errorf("Load after Forget = %v, want ErrNoSnapshot", err)
	}
	if all, err := bus.Snapshots(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("Snapshots() after Forget = %v, %v, want none", all, err)
	}
	if err := bus.Save(t.Context(), "a.x", actors.Snapshot{Created: now, Seq: 1}); err != nil {
		t.Fatal(err)
	}
	if got, err := bus.Load(t.Context(), "a.x"); err != nil || got.Seq != 1 {
		t.Errorf("Load after another Save = %d, %v, want 1", got.Seq, err)
	}
}

func keepLease(t *testing.T, open Opener) {
	bus := open(t).Bus
	take := func(holder string, want bool) {
		t.Helper()
		if got, err := bus.Lease(t.Context(), "a.x", holder, time.Second); err != nil || got != want {
			t.Fatalf("lease for %s: %v, %v; want %v", holder, got, err, want)
		}
	}
	take("one", true)
	take("two", false)
	take("one", true) // renewed
	if err := bus.Release(t.Context(), "a.x", "two"); err != nil {
		t.Fatal(err)
	}
	take("two", false)
	if err := bus.Release(t.Context(), "a.x", "one"); err != nil {
		t.Fatal(err)
	}
	take("two", true)
	take("two", true) // a renewal must not make it last for ever
	eventually(t, "the lease ends", func() bool {
		got, err := bus.Lease(t.Context(), "a.x", "three", time.Second)
		if err != nil {
			t.Fatal(err)
		}
		return got
	})
}

func quarantineOnce(t *testing.T, open Opener) {
	f := open(t)
	for _, id := range []string{"log-1", "log-1", "log-2"} {
		if err := f.Bus.Quarantine(t.Context(), "log", id, "line\r\nbreak\x00\xff", []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	if n := f.Quarantined(); n != 2 {
		t.Errorf("%d kept, want 2", n)
	}
}

func listenPublish(t *testing.T, open Opener) {
	bus := open(t).Bus
	ctx, cancel := context.WithCancel(t.Context())
	messages, err := bus.Listen(ctx, bus.Pool().Usage("*"))
	if err != nil {
		t.Fatal(err)
	}
	if err := bus.Publish(bus.Pool().Usage("a"), []byte("x")); err != nil {
		t.Fatal(err)
	}
	if d := <-messages; d.Subject != bus.Pool().Usage("a") || string(d.Body) != "x" || d.Seq != 0 {
		t.Errorf("core message = %+v, want x on the subject of usage", d)
	}
	cancel()
	for range messages { // ends
	}
}
