package archive

import (
	"maps"
	"slices"
	"strings"
	"time"

	"lull/classifier/series"
	"lull/classifier/tenure"
	"lull/subjects"
	"lull/subjects/history"
)

// Archive keeps blocks by host. The zero value is not ready: use New. It is not safe for
// concurrent use.
type Archive struct {
	hosts   map[string]map[name]*kept
	spans   map[string]tenure.Spans // by host
	tenants map[string][]string     // hosts of each, sorted; nil when blocks or spans have changed
	bytes   int
	block   history.Block // for decoding, used again
	merged  merged
}

// name identifies a block among those of a host.
type name struct {
	origin history.Origin
	block  string
}

// kept is one block.
type kept struct {
	from, end int64    // slots
	owners    []string // tenants that an import names; nil for a block of the host's agent
	body      []byte
}

// New returns an empty archive.
func New() *Archive { return &Archive{hosts: map[string]map[name]*kept{}} }

// Put keeps a block of a host in place of an earlier one of its name. It copies body, which
// holds the block's bytes.
func (a *Archive) Put(host string, b *history.Block, body []byte) {
	of := a.hosts[host]
	if of == nil {
		of = map[name]*kept{}
		a.hosts[strings.Clone(host)] = of
	}
	key := name{b.Origin, b.Name()}
	if old := of[key]; old != nil {
		a.bytes -= len(old.body)
	}
	k := &kept{from: b.From, end: b.End(), body: slices.Clone(body)}
	if b.Origin == history.Import {
		for _, owner := range b.Owners {
			if !slices.Contains(k.owners, owner.Tenant) {
				k.owners = append(k.owners, strings.Clone(owner.Tenant))
			}
		}
	}
	of[key], a.tenants = k, nil
	a.bytes += len(body)
}

// Assign sets the tenants that hosts had, in place of earlier ones. Without it no host has a tenant.
func (a *Archive) Assign(spans map[string]tenure.Spans) { a.spans, a.tenants = spans, nil }

// tenantsOf returns the tenants for which a block of a host counts, "" for the host's own one.
func (a *Archive) tenantsOf(host string, key name, k *kept) []string {
	if key.origin == history.Import {
		return k.owners
	}
	return a.spans[host].Between(k.from, k.end)
}

// Forget drops the blocks that end before a time.
func (a *Archive) Forget(before time.Time) {
	slot := history.Slot(before)
	for host, of := range a.hosts {
		maps.DeleteFunc(of, func(_ name, k *kept) bool {
			if k.end > slot {
				return false
			}
			a.bytes -= len(k.body)
			return true
		})
		if len(of) == 0 {
			delete(a.hosts, host)
		}
	}
	a.tenants = nil
}

// Bytes is how many bytes of blocks are kept.
func (a *Archive) Bytes() int { return a.bytes }

// Hosts is how many hosts have blocks.
func (a *Archive) Hosts() int { return len(a.hosts) }

// Tenants returns the tenants with samples, by name.
func (a *Archive) Tenants() []string {
	a.index()
	return slices.Sorted(maps.Keys(a.tenants))
}

// index finds the hosts of each tenant.
func (a *Archive) index() {
	if a.tenants != nil {
		return
	}
	a.tenants = map[string][]string{}
	for _, host := range slices.Sorted(maps.Keys(a.hosts)) {
		for key, k := range a.hosts[host] {
			for _, tenant := range a.tenantsOf(host, key, k) {
				tenant = subjects.TenantOf(tenant, host)
				if of := a.tenants[tenant]; len(of) == 0 || of[len(of)-1] != host {
					a.tenants[tenant] = append(of, host)
				}
			}
		}
	}
}

// First is when the first block begins that holds samples of the tenant. ok is false for a
// tenant without any.
func (a *Archive) First(tenant string) (first time.Time, ok bool) {
	a.index()
	slot := int64(0)
	for _, host := range a.tenants[tenant] {
		for key, k := range a.hosts[host] {
			is := func(owner string) bool { return subjects.TenantOf(owner, host) == tenant }
			if (!ok || k.from < slot) && slices.ContainsFunc(a.tenantsOf(host, key, k), is) {
				slot, ok = k.from, true
			}
		}
	}
	return history.TimeOf(slot), ok
}

// AddTo adds to an average what the tenant's hosts used from one time until another, while
// they were the tenant's. Unreadable blocks count as gaps.
func (a *Archive) AddTo(average *series.Average, tenant string, from, until time.Time) {
	a.index()
	first, end := history.Slot(from), history.Slot(until)
	for _, host := range a.tenants[tenant] {
		a.merge(host, first, end)
		a.merged.each(tenant, func(slot int64, s *sample) {
			average.Add(history.TimeOf(slot), history.Step, s.mean, s.peak)
		})
	}
}
