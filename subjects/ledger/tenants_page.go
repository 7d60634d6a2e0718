package ledger

import (
	"maps"
	"slices"

	"lull/subjects"
)

// TenantPage answers a question for tenants.
func (s *State) TenantPage(ask *subjects.TenantsAsk) *subjects.TenantsAnswer {
	answer := &subjects.TenantsAnswer{Folded: subjects.Folded{Seq: s.Seq}, Last: s.Tenants.last}
	hosts := s.hostsOfTenants()
	names := slices.Sorted(maps.Keys(s.Tenants.of))
	at, found := slices.BinarySearch(names, ask.After)
	if found {
		at++
	}
	bytes := 0
	for _, name := range names[at:] {
		if n := len(answer.Tenants); n == pageLines || bytes > pageBytes {
			answer.Next = answer.Tenants[n-1].Tenant
			break
		}
		said := s.Tenants.of[name]
		answer.Tenants = append(answer.Tenants, subjects.TenantLine{Tenant: name, Said: said, Hosts: hosts[name], Stays: s.Tenants.stays[name]})
		bytes += modelBytes + len(name) + said.Profile.Size()
	}
	return answer
}

// hostsOfTenants counts the present hosts of each tenant.
func (s *State) hostsOfTenants() map[string]uint32 {
	of := map[string]uint32{}
	for _, h := range s.byName {
		if !h.Gone {
			of[subjects.TenantOf(h.Joined.Tenant, h.Name)]++
		}
	}
	return of
}

// TenantOf is what was learnt of a host's tenant, nil if nothing is known.
func (s *State) TenantOf(h *Host) *subjects.Classified {
	return s.Tenants.Of(subjects.TenantOf(h.Joined.Tenant, h.Name))
}
