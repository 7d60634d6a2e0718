package harm

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"lull/subjects"
)

// Tolls keeps one Toll for each tenant and host. The zero value has none.
type Tolls struct {
	all []*Toll // by tenant and host
}

// Limits on the tolls that are kept. Tolls to which nothing was added for longest are dropped first.
const (
	keep         = 10_000  // tolls
	tenantsAHost = 16      // tolls of one host, so that one which invents tenants cannot displace other hosts
	keepHours    = 90 * 24 // hours since the last addition
)

// All are the tolls, by tenant and host.
func (t *Tolls) All() iter.Seq[*Toll] { return slices.Values(t.all) }

// Add adds the harm in an interval that a host reports to the hour of now, the log's time.
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

// Rewind moves what was counted in an hour after now to the hour of now. It repairs the effect of a clock
// that was ahead.
func (t *Tolls) Rewind(now int64) {
	for _, toll := range t.all {
		toll.rewind(now)
	}
}

// forget drops tolls that are too old, and makes room for one more toll of a host.
func (t *Tolls) forget(now int64, host string) {
	t.all = slices.DeleteFunc(t.all, func(t *Toll) bool { return now/int64(time.Hour)-t.last >= keepHours })
	t.drop(tenantsAHost, func(t *Toll) bool { return t.Host == host })
	t.drop(keep, func(*Toll) bool { return true })
}

// drop removes the toll to which nothing was added for longest, of those for which of is true. It
// does so only if they are at least most in number.
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

// find returns the index of a tenant's toll on a host and true, or the index at which to insert it and
// false.
func (t *Tolls) find(tenant, host string) (int, bool) {
	return slices.BinarySearchFunc(t.all, tenant, func(toll *Toll, _ string) int {
		return cmp.Or(cmp.Compare(toll.Tenant, tenant), cmp.Compare(toll.Host, host))
	})
}
