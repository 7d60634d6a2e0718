package attempts

import (
	"maps"
	"slices"
	"sync"

	"lull/hostctl/actor"
	"lull/hostctl/slots"
)

// table holds a host's attempts by their ids.
type table struct {
	mu struct {
		sync.Mutex
		runs  map[uint64]*run   // started or adopted; their ends are not in the log yet
		found map[uint64]*found // held by shims when the agent began; the log has not named them
	}
}

func newTable() *table {
	t := &table{}
	t.mu.runs, t.mu.found = make(map[uint64]*run), make(map[uint64]*found)
	return t
}

// run is the attempt of an id, nil if there is none.
func (t *table) run(attempt uint64) *run {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.mu.runs[attempt]
}

// add adds an attempt.
func (t *table) add(r *run) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mu.runs[r.Attempt] = r
}

// addFound adds what a shim holds of an attempt.
func (t *table) addFound(attempt uint64, f found) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mu.found[attempt] = &f
}

// claim adds the run of an attempt that the log has named, which newRun makes of what a shim holds
// of it, if any. The attempt is never missing in between.
func (t *table) claim(attempt uint64, newRun func(*found) *run) (*run, *found) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.mu.found[attempt]
	delete(t.mu.found, attempt)
	r := newRun(f)
	t.mu.runs[attempt] = r
	return r, f
}

// removeRun removes an attempt that the log has named, and returns it; nil if there is none.
func (t *table) removeRun(attempt uint64) *run {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.mu.runs[attempt]
	delete(t.mu.runs, attempt)
	return r
}

// remove removes an attempt, and returns what there was of it.
func (t *table) remove(attempt uint64) (*run, *found) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r, f := t.mu.runs[attempt], t.mu.found[attempt]
	delete(t.mu.runs, attempt)
	delete(t.mu.found, attempt)
	return r, f
}

// runs returns the attempts that the log has named.
func (t *table) runs() []*run {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Values(t.mu.runs))
}

// withProcess returns those of runs that have a process.
func (t *table) withProcess() []*run {
	return slices.DeleteFunc(t.runs(), func(r *run) bool { return !r.hasProcess() })
}

// count returns the number of attempts that have a process, those included that the log has not
// named yet. The guard calls it at each turn, so it allocates nothing.
func (t *table) count() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.mu.runs {
		if r.hasProcess() {
			n++
		}
	}
	for _, f := range t.mu.found {
		if f.running != nil && !f.evicted {
			n++
		}
	}
	return n
}

// empty reports whether there is no attempt.
func (t *table) empty() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.mu.runs)+len(t.mu.found) == 0
}

// held returns what the shims hold, in the order of ids.
func (t *table) held() []actor.Held {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := map[uint64]*slots.Slot{}
	for id, f := range t.mu.found {
		at[id] = f.slot
	}
	for id, r := range t.mu.runs {
		at[id] = r.slot
	}
	held := make([]actor.Held, 0, len(at))
	for _, id := range slices.Sorted(maps.Keys(at)) {
		held = append(held, actor.Held{Attempt: id, Slot: uint32(at[id].N)})
	}
	return held
}

// evictYoungestFound marks the youngest attempt that the log has not named yet as evicted, and
// returns its id and slot; false if there is none.
func (t *table) evictYoungestFound() (youngest uint64, s *slots.Slot, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, f := range t.mu.found {
		if f.running != nil && !f.evicted {
			youngest = max(youngest, id)
		}
	}
	f := t.mu.found[youngest]
	if f == nil {
		return 0, nil, false
	}
	f.evicted = true
	return youngest, f.slot, true
}
