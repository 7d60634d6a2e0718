package ledger

import (
	"maps"
	"slices"

	"lull/subjects"
)

// stayMemory is how many of a tenant's last tasks weigh in what is kept of them.
const stayMemory = 500

// stayed notes whether an attempt ran to its end beside its host's primary, where a probability of
// that was predicted. Only a host with a core reserve ends attempts for its primary's sake.
func (s *State) stayed(a *Attempt, stayed bool) {
	if a.Why.Stays <= 0 || a.Host.Joined.ReserveCPU == 0 {
		return
	}
	tenant := s.Owners.NameOf(a.Host)
	if s.Tenants.of[tenant] == nil {
		return
	}
	if s.Tenants.stays == nil {
		s.Tenants.stays = map[string]*subjects.Stays{}
	}
	sum := s.Tenants.stays[tenant]
	if sum == nil {
		sum = new(subjects.Stays)
		s.Tenants.stays[tenant] = sum
	}
	keep := 1.0
	if sum.Tasks >= stayMemory {
		keep = 1 - 1./stayMemory
	}
	seen := 0.0
	if stayed {
		seen = 1
	}
	sum.Tasks = float64(sum.Tasks*keep) + 1
	sum.Predicted = float64(sum.Predicted*keep) + a.Why.Stays
	sum.Seen = float64(sum.Seen*keep) + seen
}

// Stays returns what is kept of the tasks beside a tenant, nil if nothing is.
func (t *Tenants) Stays(tenant string) *subjects.Stays { return t.stays[tenant] }

// packStays lists what is kept of tasks, by tenant.
func (t *Tenants) packStays() (names []string, all []subjects.Stays) {
	names = slices.Sorted(maps.Keys(t.stays))
	for _, name := range names {
		all = append(all, *t.stays[name])
	}
	return names, all
}

// loadStays is the inverse of packStays.
func (t *Tenants) loadStays(names []string, all []subjects.Stays) {
	t.stays = nil
	for i := range min(len(names), len(all)) {
		if t.stays == nil {
			t.stays = map[string]*subjects.Stays{}
		}
		t.stays[names[i]] = &all[i]
	}
}
