package ledger

import (
	"maps"
	"testing"

	"pgregory.net/rapid"
)

// all are the attempts by id.
func (r *attemptTable) all() map[uint64]*Attempt {
	all := map[uint64]*Attempt{}
	for at, p := range r.pages {
		for i, a := range p.attempts {
			if a != nil {
				all[at*pageSize+uint64(i)] = a
			}
		}
	}
	return all
}

// The table holds what a map would, whatever is added and removed, and keeps no empty page.
func TestAttemptTableIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, want := newAttemptTable(), map[uint64]*Attempt{}
		for range rapid.IntRange(0, 100).Draw(t, "changes") {
			id := rapid.Uint64Range(0, 4*pageSize).Draw(t, "id")
			if rapid.Bool().Draw(t, "add") {
				want[id] = &Attempt{ID: id}
				r.add(want[id])
			} else {
				delete(want, id)
				r.remove(id)
			}
			if r.find(id) != want[id] || r.n != len(want) || !maps.Equal(r.all(), want) {
				t.Fatalf("after %d the register has %d attempts, and a map %d", id, r.n, len(want))
			}
			for at, p := range r.pages {
				if p.n == 0 {
					t.Fatalf("page %d is empty, want it removed", at)
				}
			}
		}
	})
}
