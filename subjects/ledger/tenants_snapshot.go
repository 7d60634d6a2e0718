package ledger

import (
	"fmt"
	"maps"
	"slices"

	"lull/subjects"
)

// TenantsForm is Tenants in a snapshot.
type TenantsForm struct {
	Last    *subjects.PoolClassified `msgpack:"last,omitempty"`
	Names   []string                 `msgpack:"names,omitempty"` // sorted
	Of      []*subjects.Classified   `msgpack:"of,omitempty"`
	Next    uint64                   `msgpack:"next,omitempty"`
	Waiting []string                 `msgpack:"waiting,omitempty"` // sorted
	Pending []*subjects.Classified   `msgpack:"pending,omitempty"`
	// What became of tasks beside tenants: see Tenants.Stays.
	StayOf []string         `msgpack:"stay_of,omitempty"` // sorted
	Stays  []subjects.Stays `msgpack:"stays,omitempty"`
}

// Pack returns the form in which a snapshot keeps the tenants, or nil if nothing was ever reported.
func (t *Tenants) Pack() *TenantsForm {
	if t.last == nil && t.next == 0 {
		return nil
	}
	f := &TenantsForm{Last: t.last, Next: t.next}
	f.Names, f.Of = byName(t.of)
	f.Waiting, f.Pending = byName(t.pending)
	f.StayOf, f.Stays = t.packStays()
	return f
}

func byName(of map[string]*subjects.Classified) (names []string, classes []*subjects.Classified) {
	names = slices.Sorted(maps.Keys(of))
	for _, name := range names {
		classes = append(classes, of[name])
	}
	return names, classes
}

// Load is the inverse of Pack.
func (t *Tenants) Load(f *TenantsForm) error {
	*t = Tenants{}
	if f == nil {
		return nil
	}
	t.last, t.next = f.Last, f.Next
	t.loadStays(f.StayOf, f.Stays)
	var err error
	if t.of, err = tenantsOf(f.Names, f.Of); err != nil {
		return err
	}
	t.pending, err = tenantsOf(f.Waiting, f.Pending)
	return err
}

// tenantsOf is the inverse of byName.
func tenantsOf(names []string, classes []*subjects.Classified) (map[string]*subjects.Classified, error) {
	if len(names) != len(classes) {
		return nil, fmt.Errorf("%d tenants have %d classes", len(names), len(classes))
	}
	of := make(map[string]*subjects.Classified, len(names))
	for i, name := range names {
		if classes[i] == nil {
			return nil, fmt.Errorf("what is known of tenant %q is missing", name)
		}
		classes[i].Tenant, of[name] = name, classes[i]
	}
	return of, nil
}
