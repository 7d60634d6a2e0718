package hostctl

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lull/hostctl/guarding"
	"lull/subjects/spec"
)

// A guard that rests looks once a second: the first task must wake it.
func TestTheFirstTaskWakesTheGuard(t *testing.T) {
	w := newWorld(t)
	a, err := New(w.config("alpha"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := errors.Join(a.close(t.Context(), nil), a.store.Close()); err != nil {
			t.Error(err)
		}
	}()
	cfg, tasks := a.guardConfig(), 0
	cfg.Tasks = func() int { return tasks }
	g, err := guarding.New(cfg)
	check(t, err)
	g.Turn(time.Now())
	if g.Due() {
		t.Error("Due() = true with nothing to guard, want false")
	}
	tasks = 1
	g.Wake() // as the runner of attempts does, see package attempts
	if !g.Due() {
		t.Error("Due() = false after a task began, want true")
	}
}

// All agents of a host share the group that has the class. An agent that was killed while batch
// work was raised leaves it raised, and may never be started again.
func TestTheGuardPutsBackWhatAnotherRaised(t *testing.T) {
	w := newWorld(t)
	a, err := New(w.config("alpha"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := errors.Join(a.close(t.Context(), nil), a.store.Close()); err != nil {
			t.Error(err)
		}
	}()
	if !a.caps.Idle.OK() {
		t.Skip("needs an idle class")
	}
	now := time.Now()
	a.guardian.Turn(now)
	if err := a.slots.Tree.Raise(true); err != nil {
		t.Fatal(err)
	}
	for look := range 5 { // a second apart; fewer leave time to another agent that raises it for a moment
		a.guardian.Turn(now.Add(time.Duration(look+1) * time.Second))
	}
	gauges := a.slots.Tree.Gauges()
	defer gauges.Close()
	if raised, err := gauges.Raised(); raised || err != nil {
		t.Errorf("Raised() seconds later = %v (%v), want false", raised, err)
	}
}

// Another program writes to a slot's cgroup, for instance systemd when it reloads.
func TestTheGuardPutsBackForeignWrites(t *testing.T) {
	w := newWorld(t)
	a, err := New(w.config("alpha"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := errors.Join(a.close(t.Context(), nil), a.store.Close()); err != nil {
			t.Error(err)
		}
	}()
	if !a.caps.Weight.OK() {
		t.Skip("needs cgroups with weights")
	}
	slot := a.slots.All()[0]
	check(t, slot.Weight.Set(spec.Core/2))
	file := slot.Group.Joins()[0]
	if a.caps.Weight.Version == 2 {
		file = slot.Group.Unified()
	}
	file = filepath.Join(file, a.caps.Weight.File)
	before, err := os.ReadFile(file)
	check(t, err)
	check(t, os.WriteFile(file, []byte("9999"), 0))
	a.guardian.Turn(time.Now())
	eventually(t, "the weight is put back", func() bool {
		now, err := os.ReadFile(file)
		return err == nil && bytes.Equal(now, before)
	})
	eventually(t, "it is recorded", func() bool {
		record, err := guarding.ReadForeignWrites(filepath.Join(a.store.Root(), guarding.RecordName))
		return err == nil && record.Count == 1 && record.Last.File == file && record.Last.Found == "9999"
	})
}

// watchedBounds note how often cores are set, and how often a group is gone then.
type watchedBounds struct {
	guarding.Bounds
	group        string
	set, missing int
}

func (b *watchedBounds) SetCores(int) error {
	if b.set++; b.group != "" {
		if _, err := os.Stat(b.group); err != nil {
			b.missing++
		}
	}
	return nil
}

// What the guard sets at its end must still be there.
func TestTheGuardEndsBeforeItsGroupsDo(t *testing.T) {
	w := newWorld(t)
	a, err := New(w.config("alpha"))
	if err != nil {
		t.Fatal(err)
	}
	var groups []string
	for _, path := range append(a.slots.All()[0].Group.Joins(), a.slots.All()[0].Group.Unified()) {
		if path != "" {
			groups = append(groups, path)
		}
	}
	if len(groups) == 0 {
		t.Skip("needs cgroups")
	}
	cfg := a.guardConfig()
	bounds := &watchedBounds{Bounds: cfg.Bounds, group: groups[0]}
	cfg.Bounds = bounds
	cfg.Cores = cfg.Guard.Cores + 1 // so that the first turn sets them, and the end sets them again
	if a.guardian, err = guarding.New(cfg); err != nil {
		t.Fatal(err)
	}
	if err := w.run(a, w.config("alpha")).stop(); err != nil {
		t.Fatal(err)
	}
	if bounds.set < 2 || bounds.missing > 0 {
		t.Errorf("cores set %d times, %d when the groups were gone, want at least 2, 0", bounds.set, bounds.missing)
	}
}
