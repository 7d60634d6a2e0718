package harm

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"lull/subjects"
)

// Tolls are what is known of all primaries. The zero value knows none.
type Tolls struct {
	all []*Toll // by tenant and host
}

// These bound the tenants and hosts that are kept: those with the newest additions to their tolls.
const (
	keep         = 10_000
	tenantsAHost = 16      // so that a host that makes up tenants drives out no others
	keepHours    = 90 * 24 // after which a toll is forgotten
)

// All are the tolls, by tenant and host.
func (t *Tolls) All() iter.Seq[*Toll] { return slices.Values(t.all) }

// Add counts an interval of a host. The log's clock decides which hour it is in.
func (t *Tolls) Add(now int64, e *subjects.Harmed) {
	at, known := t.find(e.Tenant, e.Host)
	if !known {
		t.forget(now, e.Host)
		at, _ = t.find(e.Tenant, e.Host)
		t.all = slices.Insert(t.all, at, &Toll{Tenant: e.Tenant, Host: e.Host, Since: e.From})
	}
	t.all[at].Sensor = e.Sensor
	t.all[at].add(now, Of(e))
}

// Rewind moves what was counted in hours that have not come yet to the present one.
func (t *Tolls) Rewind(now int64) {
	for _, toll := range t.all {
		toll.rewind(now)
	}
}

// forget makes room for one more toll of a host.
func (t *Tolls) forget(now int64, host string) {
	t.all = slices.DeleteFunc(t.all, func(t *Toll) bool { return now/int64(time.Hour)-t.last >= keepHours })
	t.drop(tenantsAHost, func(t *Toll) bool { return t.Host == host })
	t.drop(keep, func(*Toll) bool { return true })
}

// drop drops, of at least so many tolls of a kind, the one to which nothing was added for longest.
func (t *Tolls) drop(most int, of func(*Toll) bool) {
	n, oldest := 0, -1
	for i, toll := range t.all {
		if !of(toll) {
			continue
		}
		if n++; oldest < 0 || toll.last < t.all[oldest].last {
			oldest = i
		}
	}
	if n >= most {
		t.all = slices.Delete(t.all, oldest, oldest+1)
	}
}

// find returns where a tenant's on a host is, or would be.
func (t *Tolls) find(tenant, host string) (int, bool) {
	return slices.BinarySearchFunc(t.all, tenant, func(toll *Toll, _ string) int {
		return cmp.Or(cmp.Compare(toll.Tenant, tenant), cmp.Compare(toll.Host, host))
	})
}
