package page

import (
	"fmt"
	"slices"
	"testing"

	"lull/subjects"
	"lull/subjects/ledger"
)

// ofTenants is a state with so many tenants, and three hosts: two of tenant t0007, and one of its own.
func ofTenants(t *testing.T, names []string) *ledger.State {
	t.Helper()
	hosts := []subjects.Joined{{Host: "x", Tenant: "t0007"}, {Host: "y", Tenant: "t0007"}, {Host: "own"}}
	return folded(t, len(names)+1+len(hosts), func(i int) subjects.Event {
		switch n := len(names); {
		case i < n:
			return &subjects.Classified{Tenant: names[i], Generation: 1, Class: "constant-1"}
		case i == n:
			return &subjects.PoolClassified{Generation: 1, Changed: uint32(n), Classes: []subjects.TenantClass{{Name: "constant-1", Members: 2}}}
		default:
			return &hosts[i-n-1]
		}
	})
}

func TestTenantPagesListEachTenantOnce(t *testing.T) {
	var names []string
	for i := range 2500 {
		names = append(names, fmt.Sprintf("t%04d", i))
	}
	s := ofTenants(t, names)
	var listed []string
	pages := 0
	for ask := (subjects.TenantsAsk{}); ; pages++ {
		answer := Tenants(s, &ask)
		for _, line := range answer.Tenants {
			listed = append(listed, line.Tenant)
			if want := map[string]uint32{"t0007": 2}[line.Tenant]; line.Hosts != want {
				t.Errorf("%s has %d hosts, want %d", line.Tenant, line.Hosts, want)
			}
		}
		if body, err := subjects.Marshal(answer); err != nil || len(body) > 1<<20 {
			t.Errorf("a page has %d bytes, %v, want at most 1 MiB", len(body), err)
		}
		if ask.After = answer.Next; ask.After == "" {
			break
		}
	}
	if !slices.Equal(listed, names) || pages < 2 {
		t.Errorf("%d tenants on %d pages, want %d in order on more than one", len(listed), pages+1, len(names))
	}
	hosts := Hosts(s, &subjects.HostsAsk{}).Hosts
	if len(hosts) != 3 || hosts[0].TenantClass != "" || hosts[1].TenantClass != "constant-1" {
		t.Errorf("Hosts = %+v, want three, the second in constant-1", hosts)
	}
}
