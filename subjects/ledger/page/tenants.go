package page

import (
	"lull/subjects"
	"lull/subjects/ledger"
)

// Tenants answers a question for tenants.
func Tenants(s *ledger.State, ask *subjects.TenantsAsk) *subjects.TenantsAnswer {
	answer := &subjects.TenantsAnswer{Folded: subjects.Folded{Seq: s.Seq}, Last: s.Tenants.Last()}
	hosts, bytes := hostsOfTenants(s), 0
	for class := range s.Tenants.All() {
		if class.Tenant <= ask.After {
			continue
		}
		if n := len(answer.Tenants); n == pageLines || bytes > pageBytes {
			answer.Next = answer.Tenants[n-1].Tenant
			break
		}
		answer.Tenants = append(answer.Tenants, subjects.TenantLine{
			Tenant: class.Tenant, Class: class, Hosts: hosts[class.Tenant], Stays: s.Tenants.Stays(class.Tenant),
		})
		bytes += modelBytes + len(class.Tenant) + class.Profile.Size()
	}
	return answer
}

// hostsOfTenants counts the present hosts of each tenant.
func hostsOfTenants(s *ledger.State) map[string]uint32 {
	of := map[string]uint32{}
	for _, h := range s.Hosts() {
		if !h.Gone {
			of[s.Owners.NameOf(h)]++
		}
	}
	return of
}
