package ledger

import (
	"iter"
	"maps"
	"slices"
	"time"

	"lull/subjects"
)

// Tenants is what the classifier reported of tenants. The zero value knows none.
//
// A generation counts whole or not at all: what it says of tenants waits until the event that
// ends it. A classifier that dies in between leaves nothing, and the next generation drops
// what waits.
type Tenants struct {
	last    *subjects.PoolClassified // nil before the first generation
	of      map[string]*subjects.Classified
	pending map[string]*subjects.Classified
	next    uint64 // generation of pending
	stays   map[string]*subjects.Stays
}

// MostTenants is how many tenants a classifier may have known at most. Twice as many may be known
// and pending.
const MostTenants = 20_000

// Last is how the last generation ended, nil before the first.
func (t *Tenants) Last() *subjects.PoolClassified { return t.last }

// Of is what counts for a tenant, nil if nothing is known. A tenant that only just came into
// the pool is not known either.
func (t *Tenants) Of(tenant string) *subjects.Classified { return t.of[tenant] }

// All are the known tenants, by name.
func (t *Tenants) All() iter.Seq[*subjects.Classified] {
	return func(yield func(*subjects.Classified) bool) {
		for _, name := range slices.Sorted(maps.Keys(t.of)) {
			if !yield(t.of[name]) {
				return
			}
		}
	}
}

// Next returns the first generation that may begin now: the log makes events of earlier ones void.
func (t *Tenants) Next() uint64 {
	next := t.next
	if t.last != nil {
		next = max(next, t.last.Generation)
	}
	return next + 1
}

// Room is how many tenants a generation may report: further events are void.
func (t *Tenants) Room() int { return max(2*MostTenants-len(t.of), 0) }

// Pending returns what an unfinished generation has reported of a tenant, or nil.
func (t *Tenants) Pending(generation uint64, tenant string) *subjects.Classified {
	if generation != t.next {
		return nil
	}
	return t.pending[tenant]
}

// Class is a class of the last generation, nil for one that it does not have.
func (t *Tenants) Class(name string) *subjects.TenantClass {
	if t.last == nil {
		return nil
	}
	for i := range t.last.Classes {
		if t.last.Classes[i].Name == name {
			return &t.last.Classes[i]
		}
	}
	return nil
}

// tooFar is how far the number and the time of a generation may be ahead of the log. Numbers are Unix
// seconds, or the next one after the last. One from the distant future would make all later generations
// void, or have the classifier wait for that time.
const tooFar = 30 * 24 * time.Hour

// Apply folds an event that the log took at a time. Events of other kinds are void.
func (t *Tenants) Apply(at time.Time, e subjects.Event) Verdict {
	last := at.Add(tooFar)
	switch e := e.(type) {
	case *subjects.Classified:
		if e.Generation > uint64(max(last.Unix(), 0)) {
			return void("its generation is in the future")
		}
		return t.classified(e)
	case *subjects.PoolClassified:
		if e.Generation > uint64(max(last.Unix(), 0)) || e.At > last.UnixNano() {
			return void("its generation is in the future")
		}
		return t.ended(e)
	}
	return void("it is not about tenants")
}

func (t *Tenants) classified(e *subjects.Classified) Verdict {
	switch {
	case t.last != nil && e.Generation <= t.last.Generation || e.Generation < t.next:
		return void("a later generation has begun")
	case e.Generation != t.next, t.pending == nil: // none was reported of generation 0
		t.next, t.pending = e.Generation, map[string]*subjects.Classified{}
	}
	if len(t.pending) >= t.Room() {
		return void("more tenants are known than are kept")
	}
	t.pending[e.Tenant] = e
	return accepted
}

// ended makes a generation count.
func (t *Tenants) ended(e *subjects.PoolClassified) Verdict {
	switch {
	case t.last != nil && e.Generation <= t.last.Generation || e.Generation < t.next:
		return void("a later generation has begun")
	case e.Generation == t.next && int(e.Changed) != len(t.pending), e.Generation != t.next && e.Changed != 0:
		return void("parts of the generation are missing")
	}
	if t.of == nil {
		t.of = map[string]*subjects.Classified{}
	}
	if e.Generation == t.next {
		for name, class := range t.pending {
			if t.of[name] = class; class.Gone {
				delete(t.of, name)
				delete(t.stays, name)
			}
		}
	}
	t.last, t.next, t.pending = e, e.Generation, nil
	return accepted
}

// TenantOf is what was learnt of a host's tenant, nil if nothing is known.
func (s *State) TenantOf(h *Host) *subjects.Classified {
	return s.Tenants.Of(subjects.TenantOf(h.Joined.Tenant, h.Name))
}
