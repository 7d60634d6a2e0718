package subjects

import (
	"slices"
	"strings"
	"testing"
)

// unowned are the kinds without a single writing role. led has a subject for each service, and lull
// repair writes voided into the store of a stopped server.
var unowned = []string{"led.", "pool.voided"}

func TestEveryKindHasAWriter(t *testing.T) {
	for _, k := range Ledger.kinds {
		name := k.about + "." + k.verb
		var by []Role
		for _, role := range Roles() {
			if slices.Contains(writers[role], name) {
				by = append(by, role)
			}
		}
		if len(by) != 1 && !slices.Contains(unowned, name) {
			t.Errorf("%s is written by %v, want one role: add it to writers", name, by)
		}
	}
}

func TestRightsNameTheirOwner(t *testing.T) {
	const p Pool = "p"
	for _, c := range []struct {
		role Role
		name string
		ok   bool
	}{
		{RoleAdmission, "", true}, {RoleDashboard, "", true}, {RoleHost, "a", true}, {RoleClient, "ann", true},
		{RoleHost, "", false}, {RoleClient, "a.b", false}, {RoleOperator, "*", false}, {RoleClient, ">", false}, {RoleClient, Nobody, false}, {"king", "a", false},
	} {
		if _, err := p.Rights(c.role, c.name); (err == nil) != c.ok {
			t.Errorf("Rights(%s, %q) = %v, want no error: %v", c.role, c.name, err, c.ok)
		}
	}
}

// The subjects that wake a reader of the whole log must match all that the log keeps.
func TestFactsMatchEverySubjectOfTheLog(t *testing.T) {
	const p Pool = "p"
	for _, subject := range p.LogSubjects() {
		begins := func(fact string) bool { return strings.HasPrefix(subject, strings.TrimSuffix(fact, ">")) }
		if !slices.ContainsFunc(p.Facts(), begins) {
			t.Errorf("%s begins like none of %v, want one pattern that does", subject, p.Facts())
		}
	}
}
