package ledger

import (
	"fmt"

	"lull/subjects"
)

// Owners are the tenants of hosts as an operator lists them. A host that is not listed has none.
// The zero value is that of a pool without a list: a host has the tenant that it names when it joins.
type Owners struct {
	list []subjects.OwnedHosts
	of   map[string]string // tenant by host
}

// NewOwners returns the owners that a list names. A host with two tenants is an error.
func NewOwners(list []subjects.OwnedHosts) (Owners, error) {
	if len(list) == 0 {
		return Owners{}, nil
	}
	o := Owners{list, map[string]string{}}
	for i := range list {
		for _, host := range list[i].Hosts {
			if was, twice := o.of[host]; twice {
				return Owners{}, fmt.Errorf("host %s is there twice, with tenant %s and tenant %s", host, was, list[i].Tenant)
			}
			o.of[host] = list[i].Tenant
		}
	}
	return o, nil
}

// List returns the tenants with their hosts, nil if none are listed. Do not change it.
func (o *Owners) List() []subjects.OwnedHosts { return o.list }

// Tenant returns the tenant of a host, "" for none. The claim is the one that the host named when it joined last.
func (o *Owners) Tenant(host, claim string) string {
	if o.of == nil {
		return claim
	}
	return o.of[host]
}

// Of returns the tenant of a host, "" for none.
func (o *Owners) Of(h *Host) string { return o.Tenant(h.Name, h.Joined.Tenant) }

// NameOf returns the name under which a host's tenant is classified: see subjects.TenantOf.
func (o *Owners) NameOf(h *Host) string { return subjects.TenantOf(o.Of(h), h.Name) }

// replace replaces what operators listed before.
func (o *Owners) replace(e *subjects.Owned) Verdict {
	if len(e.Tenants) == 0 && o.of == nil {
		return void("no tenants are listed: there is nothing to forget")
	}
	owners, err := NewOwners(e.Tenants)
	if err != nil {
		return void(err.Error())
	}
	*o = owners
	return accepted
}

// Classified returns the report in force on a host's tenant, nil if there is none.
func (s *State) Classified(h *Host) *subjects.Classified { return s.Tenants.Of(s.Owners.NameOf(h)) }
