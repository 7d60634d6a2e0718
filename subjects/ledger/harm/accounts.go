package harm

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"lull/subjects"
)

// Accounts keeps one Account for each tenant and host. The zero value has none.
type Accounts struct {
	all []*Account // by tenant and host
}

// Limits on the accounts that are kept. Accounts to which nothing was added for longest are dropped first.
const (
	maxAccounts      = 10_000  // accounts
	maxTenantsOfHost = 16      // accounts of one host, so that one which invents tenants cannot displace other hosts
	keepHours        = 90 * 24 // hours since the last addition
)

// All are the accounts, by tenant and host.
func (t *Accounts) All() iter.Seq[*Account] { return slices.Values(t.all) }

// Add adds the harm in an interval that a host of a tenant reports to the hour of now, the log's time.
func (t *Accounts) Add(now int64, tenant string, e *subjects.Harmed) {
	at, known := t.find(tenant, e.Host)
	if !known {
		t.forget(now, e.Host)
		at, _ = t.find(tenant, e.Host)
		t.all = slices.Insert(t.all, at, &Account{Tenant: tenant, Host: e.Host, Since: e.From})
	}
	t.all[at].Sensor = e.Sensor
	t.all[at].add(now, Of(e))
}

// Rewind moves what was counted in an hour after now to the hour of now. It repairs the effect of a clock
// that was ahead.
func (t *Accounts) Rewind(now int64) {
	for _, account := range t.all {
		account.rewind(now)
	}
}

// forget drops accounts that are too old, and makes room for one more account of a host.
func (t *Accounts) forget(now int64, host string) {
	t.all = slices.DeleteFunc(t.all, func(t *Account) bool { return now/int64(time.Hour)-t.last >= keepHours })
	t.drop(maxTenantsOfHost, func(t *Account) bool { return t.Host == host })
	t.drop(maxAccounts, func(*Account) bool { return true })
}

// drop removes the account to which nothing was added for longest, of those for which of is true. It
// does so only if they are at least most in number.
func (t *Accounts) drop(most int, of func(*Account) bool) {
	n, oldest := 0, -1
	for i, account := range t.all {
		if !of(account) {
			continue
		}
		if n++; oldest < 0 || account.last < t.all[oldest].last {
			oldest = i
		}
	}
	if n >= most {
		t.all = slices.Delete(t.all, oldest, oldest+1)
	}
}

// find returns the index of a tenant's account on a host and true, or the index at which to insert it and
// false.
func (t *Accounts) find(tenant, host string) (int, bool) {
	return slices.BinarySearchFunc(t.all, tenant, func(account *Account, _ string) int {
		return cmp.Or(cmp.Compare(account.Tenant, tenant), cmp.Compare(account.Host, host))
	})
}
