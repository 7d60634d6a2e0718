package classifier

import (
	"time"

	"lull/classifier/classes"
	"lull/classifier/learn"
	"lull/classifier/study"
	"lull/subjects/profile"
)

// known is what a study needs of the log.
func (a *Actor) known(now time.Time) study.Known {
	k := study.Known{Profiles: map[string]*profile.Profile{}, Changed: a.changed, Hosts: a.hosts.Spans(), Options: learn.Options{Max: a.cfg.Max}}
	last := a.tenants.Last()
	if last != nil {
		k.Names.Named = int(last.Named)
	}
	if a.gap {
		k.Names.Named = max(k.Names.Named, unusedNumber(now))
	}
	if last == nil {
		return k
	}
	at := make(map[string]int, len(last.Classes))
	for i, c := range last.Classes {
		at[c.Name] = i
		k.Names.Last = append(k.Names.Last, classes.Class{Name: c.Name, Pattern: c.Pattern})
	}
	for t := range a.tenants.All() {
		k.Profiles[t.Tenant] = &t.Profile
		if i, ok := at[t.Class]; ok {
			k.Names.Last[i].Members = append(k.Names.Last[i].Members, t.Tenant)
		}
	}
	return k
}

// unusedNumber returns a number above that of every name that may have been given. A classifier uses it
// if it may have missed generations: it assumes a hundred names a day from 2020 on.
func unusedNumber(now time.Time) int {
	const namesADay = 100
	since := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	return namesADay * max(int(now.Sub(since)/(24*time.Hour)), 1)
}
