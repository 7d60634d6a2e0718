package tenure

import (
	"slices"

	"lull/subjects/history"
)

// Span is a time for which a host has one tenant: from a slot until the next span begins.
type Span struct {
	From   int64  `msgpack:"from"`   // slot: see history.Slot
	Tenant string `msgpack:"tenant"` // "" for none
}

// Spans are those of one host, by time. The first one counts for the time before it, too.
type Spans []Span

// mostSpans bounds the spans of a host. The oldest are dropped first.
const mostSpans = 32

// At returns the tenant in a slot, "" for none.
func (s Spans) At(slot int64) string {
	for _, span := range slices.Backward(s) {
		if span.From <= slot {
			return span.Tenant
		}
	}
	if len(s) == 0 {
		return ""
	}
	return s[0].Tenant
}

// Between returns the tenants from one slot to before another, by time. A tenant may stand there twice.
func (s Spans) Between(first, end int64) []string {
	tenants := []string{s.At(first)}
	for _, span := range s {
		if span.From > first && span.From < end {
			tenants = append(tenants, span.Tenant)
		}
	}
	return tenants
}

// with returns the spans with a further one from a slot on. It leaves s as it is, because actions may read it. Where the log's
// time went back, what was said last counts. Spans that ended before the history that is kept are dropped.
func (s Spans) with(slot int64, tenant string) Spans {
	until := len(s)
	for until > 0 && s[until-1].From >= slot {
		until--
	}
	from := max(0, until-mostSpans+1)
	for from+1 < until && s[from+1].From <= slot-history.Days*int64(history.PerDay) {
		from++
	}
	kept := s[from:until]
	if len(kept) > 0 && kept[len(kept)-1].Tenant == tenant {
		return kept
	}
	return append(slices.Clone(kept), Span{slot, tenant})
}
