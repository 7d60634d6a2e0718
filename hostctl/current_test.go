package hostctl

import (
	"slices"
	"testing"

	"lull/hostctl/actor"
)

// The disk has room when a term begins, and runs full at that moment. The report of that arrived
// before the state that had been read earlier. So the term took the full disk for one with room.
func TestNoReportComesBetweenAStateAndItsTelling(t *testing.T) {
	var p current
	p.report(actor.Disk{Full: true}) // before the first term
	var told []any
	p.begin(nil, func(r any) { told = append(told, r) }, func() any {
		state := actor.Disk{Full: false}
		if p.mu.TryLock() {
			p.mu.Unlock()
			t.Error("the lock is free during a report, want it taken, or a report may come before the state that it replaces")
		}
		return state
	})
	p.report(actor.Disk{Full: true})
	if want := []any{actor.Disk{Full: false}, actor.Disk{Full: true}}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
}
