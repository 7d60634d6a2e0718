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
// A generation takes effect as a whole or not at all. Its Classified events stay pending until
// PoolClassified, the event that ends it. If the classifier dies in between, the pending events have
// no effect, and the next generation drops them.
type Tenants struct {
	last    *subjects.PoolClassified // nil before the first generation
	of      map[string]*subjects.Classified
	pending map[string]*subjects.Classified
	next    uint64 // generation of pending; without one, that of last
	stays   map[string]*subjects.Stays
}

// MostTenants is the most tenants that the classifier keeps known. Known and pending tenants together
// may be twice as many, so that one generation can replace all.
const MostTenants = 20_000

// Last returns the event that ended the last generation, nil before the first.
func (t *Tenants) Last() *subjects.PoolClassified { return t.last }

// Of returns the report in force on a tenant, nil if there is none, as for a tenant that is new in
// the pool.
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

// Next returns the lowest number with which a generation may begin now.
func (t *Tenants) Next() uint64 {
	next := t.next
	if t.last != nil {
		next = max(next, t.last.Generation)
	}
	return next + 1
}

// Room returns how many tenants a generation may report. Apply makes events beyond that void.
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

// tooFar is how far the number and the time of a generation may be ahead of the log's time. A number is
// in Unix seconds, or one more than the last. A number from the distant future would make all later
// generations void; a time from it would make the classifier wait until then.
const tooFar = 30 * 24 * time.Hour

// Apply folds an event that entered the log at a time. Events of other kinds are void.
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
	case e.Generation != t.next, t.pending == nil: // next is 0 at first, so generation 0 finds no map
		t.next, t.pending = e.Generation, map[string]*subjects.Classified{}
	}
	if len(t.pending) >= t.Room() {
		return void("the ledger already keeps as many tenants as it may")
	}
	t.pending[e.Tenant] = e
	return accepted
}

// ended puts a generation into force.
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
