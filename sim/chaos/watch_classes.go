package chaos

import (
	"maps"

	"lull/subjects"
)

// classes is what the last generation learnt.
type classes struct {
	tenants int               // that history is of
	of      map[string]string // class of each tenant
	given   map[string]bool   // every name
}

// check checks the end of a generation that counts: all tenants are known, and the name of a class is
// new, or that of a class with which it shares a member.
func (l *classes) check(c *watcher, end *subjects.PoolClassified) {
	of := map[string]string{}
	kept := map[string]bool{}
	for learnt := range c.state.Tenants.All() {
		of[learnt.Tenant] = learnt.Class
		kept[learnt.Class] = kept[learnt.Class] || l.of[learnt.Tenant] == learnt.Class
	}
	if len(of) != int(end.Tenants) || len(of) != l.tenants {
		c.fail("%d tenants are known after a generation of %d; history is of %d", len(of), end.Tenants, l.tenants)
	}
	given := maps.Clone(l.given)
	if given == nil {
		given = map[string]bool{}
	}
	for i := range end.Classes {
		name := end.Classes[i].Name
		if given[name] && !kept[name] {
			c.fail("the name %s was given before, to a class of other members", name)
		}
		given[name] = true
	}
	l.of, l.given = of, given
}
