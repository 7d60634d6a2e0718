package conformance

import (
	"errors"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
)

var snapshotSuite = []Test{
	{"snapshot/restart folds only the rest", restart},
	{"snapshot/of another log", otherLog},
	{"snapshot/beyond the end", lostTail},
	{"snapshot/of another version", func(t *testing.T, open Opener) { unusable(t, open, func(s *actors.Snapshot) { s.Version++ }) }},
	{"snapshot/damaged", func(t *testing.T, open Opener) {
		unusable(t, open, func(s *actors.Snapshot) { s.State = []byte("\xdd\xff\xff\xff\xff\x01") })
	}},
	{"snapshot/saved late", lateSave},
	{"snapshot/of the version before is read", readsEarlier},
	{"snapshot/without a version in its name is read", readsUnnamed},
	{"snapshot/versions stand beside each other", besideEachOther},
	{"snapshot/only a newer version reaches the log", onlyNewer},
	{"snapshot/with newer sections keeps its place", newerSections},
	{"snapshot/of versions of the past are removed", dropsOld},
}

var snapshotName = actors.SnapshotName("tally", "all", 0)

// decideAndSave decides one thing with snapshots on and stops.
func decideAndSave(t *testing.T, bus actors.Bus) {
	t.Helper()
	cfg := config(bus)
	cfg.SnapshotEvery = 100
	h := start(t, cfg)
	appendEvents(t, bus, drain("a"))
	h.until("decided", func(a *tally) bool { return a.state.Resumed == 1 })
	h.end()
}

func restart(t *testing.T, open Opener) {
	bus := open(t).Bus
	decideAndSave(t, bus)
	snap, err := bus.Load(t.Context(), snapshotName)
	if err != nil || snap.Seq != lastSequence(t, bus) || snap.Led == 0 {
		t.Fatalf("snapshot at shutdown = %+v, %v, want one at the log's end with its term", snap, err)
	}
	// What the snapshot holds is not folded again: the log may go.
	if err := bus.Trim(t.Context(), snap.Seq+1); err != nil {
		t.Fatal(err)
	}
	h := start(t, config(bus))
	h.awaitLead()
	appendEvents(t, bus, drain("b"))
	h.until("decided", func(a *tally) bool { return a.state.Resumed == 2 })
}

func otherLog(t *testing.T, open Opener) {
	f := open(t)
	decideAndSave(t, f.Bus)
	<-time.After(time.Millisecond) // in virtual time both would be of one instant
	f.Recreate()
	for range 10 {
		appendEvents(t, f.Bus, drain("z"))
	}
	h := start(t, config(f.Bus))
	h.until("decided", func(a *tally) bool { return a.state.Resumed == 1 })
	h.end()
	h.checkReplay(1)
}

// lateSave: a save that was delayed for long does not replace a newer snapshot, because the log may
// be trimmed up to that one. A stored snapshot that fits no log protects nothing.
func lateSave(t *testing.T, open Opener) {
	bus := open(t).Bus
	for range 9 {
		appendEvents(t, bus, drain("a"))
	}
	created := logOf(t, bus).Created
	for _, step := range []struct {
		seq, want uint64
		created   time.Time
	}{
		{5, 5, created}, {7, 7, created}, {6, 7, created}, {9, 9, created},
		{3, 3, created.Add(time.Second)}, // another log
		{4, 4, created},
		{1000, 1000, created}, // beyond the log's end
		{8, 8, created},
	} {
		if err := bus.Save(t.Context(), snapshotName, actors.Snapshot{Created: step.created, Seq: step.seq}); err != nil {
			t.Fatal(err)
		}
		if got, err := bus.Load(t.Context(), snapshotName); err != nil || got.Seq != step.want {
			t.Fatalf("after saving %d the snapshot at %d stands (%v), want %d", step.seq, got.Seq, err, step.want)
		}
	}
}

// lostTail: a log that ends before its snapshot has lost entries. A shell does not
// write to it until a repair has declared them lost.
func lostTail(t *testing.T, open Opener) {
	bus := open(t).Bus
	decideAndSave(t, bus)
	snap, err := bus.Load(t.Context(), snapshotName)
	if err != nil {
		t.Fatal(err)
	}
	ends := lastSequence(t, bus)
	snap.Seq = ends + 3
	snap.Led = ends + 2
	if err := bus.Save(t.Context(), snapshotName, snap); err != nil {
		t.Fatal(err)
	}
	h := start(t, config(bus))
	var lost *actors.LostTailError
	if err := <-h.done; !errors.As(err, &lost) || lost.Last != ends || lost.Known != ends+3 {
		t.Fatalf("end = %v, want a LostTailError of %d behind %d", err, ends+3, ends)
	}
	if now := lastSequence(t, bus); now != ends {
		t.Errorf("the log ends at %d, want %d as before", now, ends)
	}
	for range 3 {
		appendEvents(t, bus, &subjects.Voided{From: ends + 1, Why: "a test"})
	}
	h = start(t, config(bus))
	h.awaitLead() // although the Led that the snapshot names was lost
	h.end()
}

// unusable: a snapshot that does not fit is not used, and the log is folded
// from its beginning.
func unusable(t *testing.T, open Opener, spoil func(*actors.Snapshot)) {
	bus := open(t).Bus
	decideAndSave(t, bus)
	snap, err := bus.Load(t.Context(), snapshotName)
	if err != nil {
		t.Fatal(err)
	}
	spoil(&snap)
	if err := bus.Save(t.Context(), snapshotName, snap); err != nil {
		t.Fatal(err)
	}
	h := start(t, config(bus))
	h.awaitLead()
	h.end()
	h.checkReplay(1)
}
