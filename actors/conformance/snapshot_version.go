package conformance

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"lull/actors"
	"lull/actors/shell"
)

// versionConfig is the configuration of a version that also reads the version before.
func versionConfig(bus actors.Bus, version int) shell.Config {
	cfg := config(bus)
	cfg.SnapshotEvery, cfg.Version, cfg.Reads = 100, version, []int{version - 1}
	return cfg
}

// decideFirst makes one decision as a version, stops, and trims what its snapshot covers.
func decideFirst(t *testing.T, bus actors.Bus, version int) {
	t.Helper()
	h := start(t, versionConfig(bus, version))
	appendEvents(t, bus, drain("a"))
	h.until("decided", func(a *tally) bool { return a.state.Resumed == 1 })
	h.end()
}

func trimAll(t *testing.T, bus actors.Bus) {
	t.Helper()
	if err := bus.Trim(t.Context(), lastSequence(t, bus)+1); err != nil {
		t.Fatal(err)
	}
}

// decideSecond starts a version, which makes a second decision.
func decideSecond(t *testing.T, bus actors.Bus, version int) {
	t.Helper()
	h := start(t, versionConfig(bus, version))
	h.awaitLead()
	appendEvents(t, bus, drain("b"))
	h.until("decided", func(a *tally) bool { return a.state.Resumed == 2 })
	h.end()
}

func readsEarlier(t *testing.T, open Opener) {
	bus := open(t).Bus
	decideFirst(t, bus, 1)
	trimAll(t, bus)
	decideSecond(t, bus, 2)
}

func readsUnnamed(t *testing.T, open Opener) {
	bus := open(t).Bus
	decideFirst(t, bus, 1)
	snap := loadSnapshot(t, bus, 1)
	for _, version := range []int{7, 1} {
		snap.Version = version
		if err := bus.Save(t.Context(), "tally.all", snap); err != nil {
			t.Fatal(err)
		}
		if version == 1 {
			// A snapshot of a readable version is used, although its name has none.
			bad := snap
			bad.State = []byte("\xdd\xff\xff\xff\xff\x01")
			if err := bus.Save(t.Context(), actors.SnapshotName("tally", "all", 1), bad); err != nil {
				t.Fatal(err)
			}
			trimAll(t, bus)
			decideSecond(t, bus, 2)
		}
	}
}

func loadSnapshot(t *testing.T, bus actors.Bus, version int) actors.Snapshot {
	t.Helper()
	snap, err := bus.Load(t.Context(), actors.SnapshotName("tally", "all", version))
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

// besideEachOther: neither version replaces the other's snapshot, and each goes on
// from its own.
func besideEachOther(t *testing.T, open Opener) {
	bus := open(t).Bus
	decideFirst(t, bus, 2)
	newer := loadSnapshot(t, bus, 2)
	decideSecond(t, bus, 1)
	if got := loadSnapshot(t, bus, 2); got.Seq != newer.Seq {
		t.Errorf("snapshot of version 2 = at %d, want %d: version 1 must not replace it", got.Seq, newer.Seq)
	}
	older := loadSnapshot(t, bus, 1)
	h := start(t, versionConfig(bus, 2))
	h.until("folded", func(a *tally) bool { return a.state.Resumed == 2 })
	h.end()
	if got := loadSnapshot(t, bus, 1); got.Seq != older.Seq {
		t.Errorf("snapshot of version 1 = at %d, want %d: version 2 must not replace it", got.Seq, older.Seq)
	}
}

func onlyNewer(t *testing.T, open Opener) {
	bus := open(t).Bus
	decideFirst(t, bus, 2)
	trimAll(t, bus)
	h := start(t, versionConfig(bus, 1))
	if err := <-h.done; err == nil || !strings.Contains(err.Error(), "run that version") {
		t.Errorf("end of the older version = %v, want an error: run that version", err)
	}
	decideSecond(t, bus, 2)
}

// newerSections: a snapshot that this version cannot read is neither used nor replaced.
func newerSections(t *testing.T, open Opener) {
	bus := open(t).Bus
	decideFirst(t, bus, 1)
	snap := loadSnapshot(t, bus, 1)
	snap.State = []byte(newerState)
	if err := bus.Save(t.Context(), actors.SnapshotName("tally", "all", 1), snap); err != nil {
		t.Fatal(err)
	}
	decideSecond(t, bus, 1) // the log reaches back
	if got := loadSnapshot(t, bus, 1); string(got.State) != newerState {
		t.Errorf("snapshot = %q, want %q: a version that cannot read it must not replace it", got.State, newerState)
	}
	if err := bus.Trim(t.Context(), snap.Seq+1); err != nil {
		t.Fatal(err)
	}
	h := start(t, versionConfig(bus, 1))
	if err := <-h.done; err == nil || !strings.Contains(err.Error(), "run that version") {
		t.Errorf("end with a trimmed log = %v, want an error: run that version", err)
	}
}

// forgetRecorder records which snapshots were removed.
type forgetRecorder struct {
	actors.Bus
	forgot chan string
}

func (f forgetRecorder) Forget(ctx context.Context, name string) error {
	err := f.Bus.Forget(ctx, name)
	f.forgot <- name
	return err
}

// dropsOld: snapshots of versions before the last one are removed when those versions no longer
// run. The last version's stays, because it may run beside this one.
func dropsOld(t *testing.T, open Opener) {
	bus := open(t).Bus
	info, err := bus.Log(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	appendEvents(t, bus, repeat(drain("a"), 4)...)
	keeps := func(names ...string) {
		t.Helper()
		all, err := bus.Snapshots(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Sorted(maps.Keys(all)); !slices.Equal(got, names) {
			t.Errorf("the bus keeps %q, want %q", got, names)
		}
	}
	const ahead = 1000 // as far as a version that runs beside this one might be
	for name, seq := range map[string]uint64{"other.all/1": 1, "tally.all": 1, "tally.all/2": 2, "tally.all/3": ahead, "tally.all/4": 3, "tally.all/6": 4} {
		if err := bus.Save(t.Context(), name, actors.Snapshot{Created: info.Created, Seq: seq}); err != nil {
			t.Fatal(err)
		}
	}
	removed := forgetRecorder{bus, make(chan string, 2)}
	cfg := versionConfig(removed, 5)
	cfg.SnapshotEvery, cfg.Keep = 1, 100
	h := start(t, cfg)
	for range cap(removed.forgot) {
		select {
		case <-removed.forgot:
		case <-time.After(patienceLimit):
			t.Fatal("snapshots removed = 0, want the old one removed")
		}
	}
	h.end()
	keeps("other.all/1", "tally.all/3", "tally.all/4", "tally.all/5", "tally.all/6")
}
