package classifier

import (
	"cmp"
	"slices"

	"lull/classifier/drift"
	"lull/classifier/generation"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Why a tenant is reported although drift.ReportReason gives no reason.
const (
	whyClass drift.Reason = "class" // its class changed
	whyGone  drift.Reason = "gone"  // there are no samples of it any more
	whyAgain drift.Reason = "again" // an upgraded service lacks earlier reports, so all are repeated
)

// compareTenants returns the reports of a generation: on tenants that are new or gone, that have
// profiles worth replacing, or that changed their class.
func compareTenants(known *ledger.Tenants, r *Learned, number uint64) *pending {
	found := largest(r.Found.Classes)
	s := &pending{end: endOf(r, found, number), before: map[string]*subjects.Classified{}, all: r.All}
	named := map[string]bool{"": true}
	for i := range found {
		named[found[i].Name] = true
	}
	var changed, added []*subjects.Classified
	fresh := map[string]bool{}
	for i := range r.Found.Tenants {
		t := &r.Found.Tenants[i]
		fresh[t.Name] = true
		old, class := known.Of(t.Name), t.Class
		if !named[class] {
			class = ""
		}
		why := worthReporting(old, class, &t.Profile, r.At, r.Known.Changed)
		if why == drift.None && r.All {
			why = whyAgain
		}
		e := &subjects.Classified{Tenant: t.Name, Generation: number, Class: class, Profile: t.Profile, Why: string(why)}
		switch {
		case old == nil:
			added = append(added, e)
		case why != drift.None:
			changed = append(changed, e)
		}
	}
	var gone []*subjects.Classified
	for old := range known.All() {
		s.before[old.Tenant] = old
		if !fresh[old.Tenant] {
			gone = append(gone, &subjects.Classified{
				Tenant: old.Tenant, Generation: number, Gone: true, Profile: old.Profile, Why: string(whyGone),
			})
		}
	}
	s.fill(known.Room(), gone, changed, added)
	return s
}

// fill takes as many reports as the log accepts in one generation: first those on tenants that are gone,
// which make room, then those on known tenants, then those on new ones. New tenants beyond
// ledger.MostTenants are left out.
func (s *pending) fill(room int, gone, changed, added []*subjects.Classified) {
	staying := len(s.before) - len(gone)
	added = added[:min(len(added), max(ledger.MostTenants-staying, 0))]
	all := slices.Concat(gone, changed, added)
	if len(all) > room {
		all, s.more, s.all = all[:room], room > 0, s.all && len(gone) == 0
	}
	left := len(s.before)
	for _, e := range all {
		switch {
		case e.Gone:
			left--
		case s.before[e.Tenant] == nil:
			left++
		}
	}
	slices.SortFunc(all, func(a, b *subjects.Classified) int { return cmp.Compare(a.Tenant, b.Tenant) })
	s.tenants, s.end.Changed, s.end.Tenants = all, uint32(len(all)), uint32(left)
}

// largest returns the classes with the most members, as many as a generation may have, by name.
func largest(all []generation.Class) []generation.Class {
	if len(all) <= subjects.MaxClasses {
		return all
	}
	byName := func(a, b generation.Class) int { return cmp.Compare(a.Name, b.Name) }
	kept := slices.SortedFunc(slices.Values(all), func(a, b generation.Class) int {
		return cmp.Or(len(b.Members)-len(a.Members), byName(a, b))
	})[:subjects.MaxClasses]
	slices.SortFunc(kept, byName)
	return kept
}
