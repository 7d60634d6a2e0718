package tenure

import (
	"maps"
	"time"

	"lull/subjects"
	"lull/subjects/history"
	"lull/subjects/ledger"
)

// Hosts is what the log says of the tenants of hosts. The zero value is that of an empty log. It is not safe for
// concurrent use.
type Hosts struct {
	owners ledger.Owners
	of     map[string]*host
}

type host struct {
	term  uint64 // sequence of its last joined
	claim string // the tenant that it named there
	gone  int64  // slot in which it left or was lost, 0 for a present host
	spans Spans
}

// mostHosts bounds the hosts that are known. Beyond it those are dropped that have been away for longer than history is
// kept. If there are none, a new host is not noted and counts as one without a tenant.
const mostHosts = 50_000

// Apply folds an entry of the log. Events of other kinds, and events that the ledger makes void, change nothing.
func (h *Hosts) Apply(seq uint64, at time.Time, e subjects.Event) {
	slot := history.Slot(at)
	switch e := e.(type) {
	case *subjects.Joined:
		h.joined(seq, slot, e)
	case *subjects.Left:
		h.left(e.Host, e.Term, slot)
	case *subjects.Lost:
		h.left(e.Host, e.Term, slot)
	case *subjects.Owned:
		if owners, err := ledger.NewOwners(e.Tenants); err == nil {
			h.owned(slot, owners)
		}
	}
}

func (h *Hosts) joined(seq uint64, slot int64, e *subjects.Joined) {
	known := h.of[e.Host]
	if known == nil {
		if h.forget(slot); len(h.of) >= mostHosts {
			return
		}
		if h.of == nil {
			h.of = map[string]*host{}
		}
		known = new(host)
		h.of[e.Host] = known
	}
	known.term, known.claim, known.gone = seq, e.Tenant, 0
	known.spans = known.spans.with(slot, h.owners.Tenant(e.Host, e.Tenant))
}

func (h *Hosts) left(name string, term uint64, slot int64) {
	if known := h.of[name]; known != nil && known.term == term && known.gone == 0 {
		known.gone = slot
	}
}

// owned begins a span of each host whose tenant the list changes.
func (h *Hosts) owned(slot int64, owners ledger.Owners) {
	first := h.owners.List() == nil && owners.List() != nil
	for name, known := range h.of {
		if first {
			known.spans = nil // until now these were claims
		}
		known.spans = known.spans.with(slot, owners.Tenant(name, known.claim))
	}
	h.owners = owners
}

// forget makes room for one more host.
func (h *Hosts) forget(slot int64) {
	if len(h.of) < mostHosts {
		return
	}
	maps.DeleteFunc(h.of, func(_ string, known *host) bool {
		return known.gone > 0 && slot-known.gone > history.Days*int64(history.PerDay)
	})
}

// Spans returns the spans of each host. Later entries do not change them. A host that is not there has no tenant.
func (h *Hosts) Spans() map[string]Spans {
	all := make(map[string]Spans, len(h.of))
	for _, tenant := range h.owners.List() {
		for _, name := range tenant.Hosts { // hosts that have not joined yet, or joined before the log begins
			all[name] = Spans{{Tenant: tenant.Tenant}}
		}
	}
	for name, known := range h.of {
		all[name] = known.spans
	}
	return all
}
