package slots

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
)

// openSet opens the slots of a host of one slot and two cores, without cgroups.
func openSet(t *testing.T) *Set {
	t.Helper()
	dir := t.TempDir()
	s, err := Open(SetConfig{
		Name: "stand", Slots: 1, Cores: 2, Data: dir, Logger: slog.New(slog.DiscardHandler),
		Dir: func(n int) string { return filepath.Join(dir, fmt.Sprint(n)) },
	})
	check(t, err)
	return s
}

// A slot may be made after the slots to freeze were listed, and before any of them is frozen.
func TestNewSlotsStandAsTheOthersDo(t *testing.T) {
	s := openSet(t)
	if listed := s.Hold(ByGuard, true); len(listed) != 1 {
		t.Fatalf("%d slots are there, want 1", len(listed))
	}
	if slot := s.Get(1); !slot.Holds.Has(ByGuard) || slot.Holds.Has(ByPool) {
		t.Errorf("slot made while all are frozen: by guard %v, by pool %v, want true, false", slot.Holds.Has(ByGuard), slot.Holds.Has(ByPool))
	}
	s.Hold(ByPool, true)
	s.Hold(ByGuard, false)
	if slot := s.Get(2); slot.Holds.Has(ByGuard) || !slot.Holds.Has(ByPool) {
		t.Errorf("slot made after a thaw in a paused pool: by guard %v, by pool %v, want false, true", slot.Holds.Has(ByGuard), slot.Holds.Has(ByPool))
	}
}
