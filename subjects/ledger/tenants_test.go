package ledger

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/profile"
)

// tenantPool folds what a classifier says.
type tenantPool struct {
	t *testing.T
	s *State
}

func (p *tenantPool) apply(e subjects.Event) Outcome {
	return p.s.Apply(p.s.Seq+1, time.Unix(int64(p.s.Seq), 0), e).Outcome
}

// says says of tenants in a generation, by their names.
func (p *tenantPool) says(generation uint64, names ...string) {
	p.t.Helper()
	for _, name := range names {
		e := &subjects.Classified{Tenant: name, Generation: generation, Class: "constant-1", Profile: profile.Profile{Peak: float64(generation) / 100}}
		if p.apply(e) != Accepted {
			p.t.Errorf("generation %d: what it says of %s is void", generation, name)
		}
	}
}

func (p *tenantPool) ends(generation uint64, changed int) Outcome {
	return p.apply(&subjects.PoolClassified{
		Generation: generation, Changed: uint32(changed), Named: 1, Classes: []subjects.TenantClass{{Name: "constant-1", Members: 2}},
	})
}

// known lists the tenants, each with the generation that reported it last.
func (p *tenantPool) known() (of []string) {
	for said := range p.s.Tenants.All() {
		of = append(of, fmt.Sprint(said.Tenant, "@", said.Generation))
	}
	return of
}

func (p *tenantPool) expect(when string, want ...string) {
	p.t.Helper()
	if got := p.known(); !slices.Equal(got, want) {
		p.t.Errorf("%s: known are %v, want %v", when, got, want)
	}
}

func TestGenerationsCountWholeOrNotAtAll(t *testing.T) {
	p := &tenantPool{t, New()}
	p.says(5, "a", "b")
	p.expect("before the end")
	if p.ends(5, 3) != Void || p.ends(4, 0) != Void {
		t.Error("a generation with a part missing, or an earlier one, counts")
	}
	p.expect("after wrong ends")
	if p.ends(5, 2) != Accepted {
		t.Error("a whole generation is void")
	}
	p.expect("after the end", "a@5", "b@5")

	// A classifier dies within generation 6; the next one begins generation 7.
	p.says(6, "a", "c")
	p.says(7, "b")
	if p.apply(&subjects.Classified{Tenant: "c", Generation: 6}) != Void {
		t.Error("the dead classifier's last word counts")
	}
	if p.ends(6, 2) != Void || p.ends(7, 1) != Accepted {
		t.Error("the wrong generation counts")
	}
	p.expect("after the next classifier's", "a@5", "b@7")

	if p.apply(&subjects.Classified{Tenant: "a", Generation: 8, Gone: true}) != Accepted || p.ends(8, 1) != Accepted {
		t.Error("a tenant cannot go")
	}
	if p.expect("after a went", "b@7"); p.ends(9, 0) != Accepted {
		t.Error("a generation without change is void")
	}
	p.expect("after a generation without change", "b@7")
	if c := p.s.Tenants.Class("constant-1"); c == nil || p.s.Tenants.Class("other") != nil || p.s.Tenants.Last().Generation != 9 {
		t.Errorf("class %+v, last %+v", c, p.s.Tenants.Last())
	}
}

// TestASnapshotKeepsTenants: also those of a generation that has not ended.
func TestASnapshotKeepsTenants(t *testing.T) {
	p := &tenantPool{t, New()}
	p.says(5, "b", "a")
	p.ends(5, 2)
	p.says(6, "c")
	body, err := p.s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	q := &tenantPool{t, New()}
	if err := q.s.Restore(body); err != nil {
		t.Fatal(err)
	}
	q.expect("restored", "a@5", "b@5")
	if q.s.Tenants.Pending(6, "c") == nil || q.ends(6, 1) != Accepted {
		t.Error("what had been said of generation 6 is lost")
	}
	q.expect("ended after the snapshot", "a@5", "b@5", "c@6")

	for name, form := range map[string]*TenantsForm{
		"a word is missing":    {Names: []string{"a", "b"}, Of: []*subjects.Classified{{}}},
		"a word is nil":        {Names: []string{"a"}, Of: []*subjects.Classified{nil}},
		"a name without words": {Waiting: []string{"a"}},
	} {
		var tenants Tenants
		if tenants.Load(form) == nil {
			t.Errorf("%s: the snapshot was taken", name)
		}
	}
}
