package ledger

import (
	"testing"
	"time"

	"lull/subjects"
)

// owner checks the tenant of a host.
func owner(t *testing.T, s *State, when, host, tenant, name string) {
	t.Helper()
	h := s.Host(host)
	if got := s.Owners.Of(h); got != tenant || s.Owners.NameOf(h) != name {
		t.Errorf("%s: Of(%s), NameOf(%s) = %q, %q, want %q, %q", when, host, host, got, s.Owners.NameOf(h), tenant, name)
	}
}

// A host is believed until an operator lists tenants, and again when there is no list any more.
func TestWhatAnOperatorListsCounts(t *testing.T) {
	sc := &script{t, New()}
	sc.must(&subjects.Joined{Host: "a", Tenant: "shop"}, &subjects.Joined{Host: "b", Tenant: "shop"}, &subjects.Joined{Host: "c", Tenant: "host:a"})
	owner(t, sc.s, "without a list", "a", "shop", "shop")
	owner(t, sc.s, "with the name of another host", "c", "host:a", "host:c")
	if v := sc.say(&subjects.Owned{}); v.Outcome != Void {
		t.Errorf("the end of a list that is not there = %+v, want void", v)
	}
	sc.must(&subjects.Owned{Tenants: []subjects.OwnedHosts{{Tenant: "mail", Hosts: []string{"a", "new"}}}})
	twice := []subjects.OwnedHosts{{Tenant: "mail", Hosts: []string{"a"}}, {Tenant: "shop", Hosts: []string{"a", "b"}}}
	if v := sc.say(&subjects.Owned{Tenants: twice}); v.Why != "host a is there twice, with tenant mail and tenant shop" {
		t.Errorf("a list with a host of two tenants = %+v, want void with its name", v)
	}
	body, err := sc.s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	restored := New()
	if err := restored.Restore(body); err != nil {
		t.Fatal(err)
	}
	for when, s := range map[string]*State{"with a list": sc.s, "restored": restored} {
		s.Apply(s.Seq+1, time.Unix(100, 0), &subjects.Joined{Host: "new", Tenant: "shop"})
		s.Apply(s.Seq+1, time.Unix(100, 0), &subjects.Joined{Host: "b", Tenant: "shop"})
		owner(t, s, when, "a", "mail", "mail")
		owner(t, s, when, "b", "", "host:b")
		owner(t, s, when, "new", "mail", "mail")
	}
	sc.must(&subjects.Owned{})
	owner(t, sc.s, "after the list", "b", "shop", "shop")
}
