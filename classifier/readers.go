package classifier

import "lull/subjects"

// readers follows which of the services that keep tenants can read the classifier's events. A service
// of an older version passes over them, because these kinds of events are optional. A newer version goes
// on from its snapshot and lacks what was reported before. Then the next generation reports all tenants.
type readers struct {
	// Formats has the format of each service's last leader: see subjects.Format.
	Formats map[string]uint32 `msgpack:"formats,omitempty"`
	// Lack says that a service lacks tenants until a generation has reported all of them.
	Lack bool `msgpack:"lack,omitempty"`
}

// lead folds a term of any service, and reports whether its leader reads tenants and the one before it
// did not. reported is whether any tenant was reported yet.
func (r *readers) lead(e *subjects.Led, reported bool) bool {
	if e.Actor != string(subjects.RoleSlotter) && e.Actor != string(subjects.RoleAdmission) {
		return false
	}
	if r.Formats == nil {
		r.Formats = map[string]uint32{}
	}
	upgraded := r.Formats[e.Actor] < subjects.FormatTenants && e.Format >= subjects.FormatTenants
	r.Formats[e.Actor] = e.Format
	r.Lack = r.Lack || upgraded && reported
	return upgraded
}
