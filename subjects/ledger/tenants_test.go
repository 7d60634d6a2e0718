package ledger

import (
	"fmt"
	"math"
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
			p.t.Errorf("Classified(%s, generation %d) is not accepted, want it accepted", name, generation)
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

// One event from the distant future must not make all later generations void.
func TestAGenerationOfTheFutureIsVoid(t *testing.T) {
	p := &tenantPool{t, New()}
	if p.apply(&subjects.Classified{Tenant: "a", Generation: math.MaxUint64}) != Void || p.ends(math.MaxUint64, 0) != Void {
		t.Error("the generation with the highest number is not void, want void")
	}
	if p.apply(&subjects.PoolClassified{Generation: 5, At: math.MaxInt64}) != Void {
		t.Error("a generation that ends in the year 2262 is not void, want void")
	}
	p.says(6, "a")
	if p.ends(6, 1) != Accepted {
		t.Error("the next generation is not accepted, want it accepted")
	}
}

func TestGenerationsCountWholeOrNotAtAll(t *testing.T) {
	p := &tenantPool{t, New()}
	p.says(5, "a", "b")
	p.expect("before the end")
	if p.ends(5, 3) != Void || p.ends(4, 0) != Void {
		t.Error("the end of a generation with a part missing, or of an earlier one, is not void, want void")
	}
	p.expect("after wrong ends")
	if p.ends(5, 2) != Accepted {
		t.Error("the end of a whole generation is not accepted, want it accepted")
	}
	p.expect("after the end", "a@5", "b@5")

	// A classifier dies within generation 6; the next one begins generation 7.
	p.says(6, "a", "c")
	p.says(7, "b")
	if p.apply(&subjects.Classified{Tenant: "c", Generation: 6}) != Void {
		t.Error("Classified of generation 6 during generation 7 is not void, want void")
	}
	if p.ends(6, 2) != Void || p.ends(7, 1) != Accepted {
		t.Error("want the end of generation 6 void and that of generation 7 accepted")
	}
	p.expect("after the next classifier's", "a@5", "b@7")

	if p.apply(&subjects.Classified{Tenant: "a", Generation: 8, Gone: true}) != Accepted || p.ends(8, 1) != Accepted {
		t.Error("Classified with Gone, or the end of its generation, is not accepted, want it accepted")
	}
	if p.expect("after a went", "b@7"); p.ends(9, 0) != Accepted {
		t.Error("the end of a generation without change is not accepted, want it accepted")
	}
	p.expect("after a generation without change", "b@7")
	if c := p.s.Tenants.Class("constant-1"); c == nil || p.s.Tenants.Class("other") != nil || p.s.Tenants.Last().Generation != 9 {
		t.Errorf("Class(constant-1), Last() = %+v, %+v, want a class and generation 9", c, p.s.Tenants.Last())
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
		t.Errorf("Pending(6, c) = %v, want what was classified before the restore", q.s.Tenants.Pending(6, "c"))
	}
	q.expect("ended after the snapshot", "a@5", "b@5", "c@6")

	for name, form := range map[string]*TenantsForm{
		"a word is missing":    {Names: []string{"a", "b"}, Of: []*subjects.Classified{{}}},
		"a word is nil":        {Names: []string{"a"}, Of: []*subjects.Classified{nil}},
		"a name without words": {Waiting: []string{"a"}},
	} {
		var tenants Tenants
		if tenants.Load(form) == nil {
			t.Errorf("Load(a snapshot with %s) succeeded, want an error", name)
		}
	}
}

// No classifier begins with generation 0, but any holder of its key can write it.
func TestGenerationZeroIsAGenerationLikeOthers(t *testing.T) {
	p := &tenantPool{t, New()}
	p.says(0, "a")
	if p.ends(0, 1) != Accepted {
		t.Error("it does not count")
	}
	p.expect("after its end", "a@0")
}
