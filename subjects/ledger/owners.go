package ledger

import (
	"fmt"

	"lull/subjects"
)

// Owners are the tenants that an operator listed hosts for. A nil *Owners is of a pool in which no operator
// listed any: each host is believed there.
type Owners struct {
	list []subjects.OwnedHosts
	of   map[string]string // tenant by host
}

// NewOwners returns the owners that a list names, nil for an empty list. A host with two tenants is an error.
func NewOwners(list []subjects.OwnedHosts) (*Owners, error) {
	if len(list) == 0 {
		return nil, nil
	}
	o := &Owners{list: list, of: map[string]string{}}
	for i := range list {
		for _, host := range list[i].Hosts {
			if was, twice := o.of[host]; twice {
				return nil, fmt.Errorf("host %s is there twice, with tenant %s and tenant %s", host, was, list[i].Tenant)
			}
			o.of[host] = list[i].Tenant
		}
	}
	return o, nil
}

// Tenant returns the tenant of a host, "" for none. The claim, which the host names when it joins, counts only where
// no operator listed any tenants.
func (o *Owners) Tenant(host, claim string) string {
	if o == nil {
		return claim
	}
	return o.of[host]
}

// List returns the tenants with their hosts, nil if none are listed. Do not change it.
func (o *Owners) List() []subjects.OwnedHosts {
	if o == nil {
		return nil
	}
	return o.list
}

// owned replaces what operators listed before.
func (s *State) owned(e *subjects.Owned) Verdict {
	if len(e.Tenants) == 0 && s.Owners == nil {
		return void("no tenants are listed: there is nothing to forget")
	}
	owners, err := NewOwners(e.Tenants)
	if err != nil {
		return void(err.Error())
	}
	s.Owners = owners
	return accepted
}

// Tenant returns the owner of a host's primary, "" for none.
func (s *State) Tenant(h *Host) string { return s.Owners.Tenant(h.Name, h.Joined.Tenant) }

// TenantName returns the name under which a host's tenant is classified: see subjects.TenantOf.
func (s *State) TenantName(h *Host) string { return subjects.TenantOf(s.Tenant(h), h.Name) }

// Classified returns the report in force on a host's tenant, nil if there is none.
func (s *State) Classified(h *Host) *subjects.Classified { return s.Tenants.Of(s.TenantName(h)) }
