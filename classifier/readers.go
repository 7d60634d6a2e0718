package classifier

import "lull/subjects"

// readers follows which of the services that keep tenants can read what a classifier says. An older
// one passes over it, because the kinds of events are optional. A newer one that takes its place goes
// on from the older one's snapshot, and lacks what was said before: then all is said again.
type readers struct {
	// Formats are those of the services that led last: see subjects.Format.
	Formats map[string]uint32 `msgpack:"formats,omitempty"`
	// Lack says that a service lacks tenants until a generation has reported all of them.
	Lack bool `msgpack:"lack,omitempty"`
}

// lead folds a term of any service, and reports whether its leader reads tenants and the one before it
// did not. said is whether anything was said of tenants yet.
func (r *readers) lead(e *subjects.Led, said bool) bool {
	if e.Actor != string(subjects.RoleSlotter) && e.Actor != string(subjects.RoleAdmission) {
		return false
	}
	if r.Formats == nil {
		r.Formats = map[string]uint32{}
	}
	upgraded := r.Formats[e.Actor] < subjects.FormatTenants && e.Format >= subjects.FormatTenants
	r.Formats[e.Actor] = e.Format
	r.Lack = r.Lack || upgraded && said
	return upgraded
}
