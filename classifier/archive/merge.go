package archive

import (
	"cmp"
	"maps"
	"slices"

	"lull/classifier/tenure"
	"lull/subjects"
	"lull/subjects/history"
)

// merged has one host's samples from all its blocks, at most one per slot. Its memory is reused for
// the next host.
type merged struct {
	first   int64 // slot of samples[0]
	samples []sample
	tenants []string
}

type sample struct {
	mean, peak float32
	seconds    uint8 // 0 for a gap
	agent      bool  // recorded by the host's agent, not imported
	tenant     uint8 // index of merged.tenants
}

// each calls visit for every sample of the tenant.
func (m *merged) each(tenant string, visit func(slot int64, s *sample)) {
	at := slices.Index(m.tenants, tenant)
	if at < 0 {
		return
	}
	for i := range m.samples {
		if s := &m.samples[i]; s.seconds > 0 && int(s.tenant) == at {
			visit(m.first+int64(i), s)
		}
	}
}

// merge fills a.merged with a host's samples in the slots from first to before end. It takes the imported
// blocks first, so that those of the agent replace them.
func (a *Archive) merge(host string, first, end int64) {
	m := &a.merged
	m.first, m.tenants = first, m.tenants[:0]
	m.samples = slices.Grow(m.samples[:0], int(max(end-first, 0)))[:max(end-first, 0)]
	clear(m.samples)
	of := a.hosts[host]
	for _, key := range slices.SortedFunc(maps.Keys(of), importsFirst) {
		k := of[key]
		if k.end <= first || k.from >= end || a.block.Decode(k.body) != nil {
			continue
		}
		spans := a.spans[host]
		for i := range a.block.Samples {
			m.take(host, &a.block, i, spans)
		}
	}
}

func importsFirst(a, b name) int {
	return cmp.Or(-cmp.Compare(a.origin, b.origin), cmp.Compare(a.block, b.block))
}

// take puts a sample of a block into its slot, unless the slot has one of the same origin that covers more
// seconds. An agent's block only claims a tenant: the spans have the host's.
func (m *merged) take(host string, b *history.Block, i int, spans tenure.Spans) {
	slot := b.From + int64(i)
	from, at := &b.Samples[i], slot-m.first
	if from.Seconds == 0 || at < 0 || at >= int64(len(m.samples)) {
		return
	}
	next := sample{
		mean: float32(history.Share(from.Mean)), peak: float32(history.Share(from.Peak)),
		seconds: from.Seconds, agent: b.Origin == history.Agent,
	}
	old := &m.samples[at]
	if old.seconds > 0 && old.agent == next.agent && old.seconds > next.seconds {
		return
	}
	owner := b.Owners[from.Owner].Tenant
	if next.agent {
		owner = spans.At(slot)
	}
	tenant, ok := m.indexOf(subjects.TenantOf(owner, host))
	if next.tenant = tenant; ok {
		*old = next
	}
}

// most is the number of tenants of one host whose samples are merged. Those of further ones are left out.
const most = 255

// indexOf returns the index of a tenant in m.tenants, to which it adds a new one. It returns false if
// there are too many.
func (m *merged) indexOf(tenant string) (uint8, bool) {
	at := slices.Index(m.tenants, tenant)
	if at < 0 {
		if at = len(m.tenants); at == most {
			return 0, false
		}
		m.tenants = append(m.tenants, tenant)
	}
	return uint8(at), true
}
