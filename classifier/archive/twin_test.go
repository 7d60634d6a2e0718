package archive

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"lull/classifier/series"
	"lull/classifier/tenure"
	"lull/subjects"
	"lull/subjects/history"
)

// told is one sample of a block, as the slow twin keeps it.
type told struct {
	history.Sample
	tenant string
	agent  bool
	name   string
}

// counts reports whether a sample counts before another of its slot.
func (a told) counts(b told) bool {
	if a.agent != b.agent {
		return a.agent
	}
	if a.Seconds != b.Seconds {
		return a.Seconds > b.Seconds
	}
	return a.name > b.name
}

// drawSpans gives each host up to three tenants, one after another.
func drawSpans(rng *rand.Rand, first int64, slots int) map[string]tenure.Spans {
	all := map[string]tenure.Spans{}
	for h := range 3 {
		host, from := fmt.Sprint("h", h), first
		for range rng.IntN(4) {
			all[host] = append(all[host], tenure.Span{From: from, Tenant: anyTenant(rng)})
			from += int64(1 + rng.IntN(slots))
		}
	}
	return all
}

func anyTenant(rng *rand.Rand) string { return []string{"", "shop", "mail"}[rng.IntN(3)] }

// ownerOf is the tenant of a sample, looked up from the first span on.
func ownerOf(spans tenure.Spans, b *history.Block, i int) string {
	if b.Origin == history.Import {
		return b.Owners[b.Samples[i].Owner].Tenant
	}
	owner := ""
	for at, span := range spans {
		if at == 0 || span.From <= b.From+int64(i) {
			owner = span.Tenant
		}
	}
	return owner
}

// TestAnArchiveEqualsItsTwin lays random blocks over one another, and does the same slot by slot.
func TestAnArchiveEqualsItsTwin(t *testing.T) {
	const slots = 300
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 5))
		a, twin := New(), map[string]map[name][]told{}
		first := history.Slot(monday)
		spans := drawSpans(rng, first, slots)
		for range rng.IntN(12) {
			host := fmt.Sprint("h", rng.IntN(3))
			b := &history.Block{Origin: history.Origin(rng.IntN(2)), From: first + int64(rng.IntN(slots))}
			samples := make([]told, 0, 40)
			for i := range int64(1 + rng.IntN(40)) {
				s := history.Sample{Mean: uint16(rng.IntN(900)), Seconds: uint8(rng.IntN(3))}
				s.Peak = s.Mean
				owner := history.Owner{Tenant: anyTenant(rng)}
				if s.Seconds > 0 {
					b.Put(b.From+i, s, owner)
				}
			}
			for i, s := range b.Samples {
				if s.Seconds > 0 {
					samples = append(samples, told{s, subjects.TenantOf(ownerOf(spans[host], b, i), host), b.Origin == history.Agent, b.Name()})
				} else {
					samples = append(samples, told{})
				}
			}
			if twin[host] == nil {
				twin[host] = map[name][]told{}
			}
			row := make([]told, slots+100)
			copy(row[b.From-first:], samples)
			twin[host][name{b.Origin, b.Name()}] = row
			put(a, host, b)
		}
		a.Assign(spans)
		for _, tenant := range []string{"shop", "mail", "host:h0", "host:h1", "host:h2"} {
			compareWithTwin(t, seed, a, twin, tenant, slots)
		}
	}
}

func compareWithTwin(t *testing.T, seed uint64, a *Archive, twin map[string]map[name][]told, tenant string, slots int) {
	average, err := series.NewAverage(monday, series.Step, slots)
	if err != nil {
		t.Fatal(err)
	}
	a.AddTo(average, tenant, monday, history.TimeOf(history.Slot(monday)+int64(slots)))
	got := average.Series().Mean
	for slot := range slots {
		sum, n := 0.0, 0.0
		for _, blocks := range twin {
			best := told{}
			for _, row := range blocks {
				if s := row[slot]; s.Seconds > 0 && (best.Seconds == 0 || s.counts(best)) {
					best = s
				}
			}
			if best.Seconds > 0 && best.tenant == tenant {
				sum, n = sum+history.Share(best.Mean), n+1
			}
		}
		if want := sum / n; math.Abs(want-float64(got[slot])) > 1e-6 || (n == 0) != (got[slot] != got[slot]) {
			t.Fatalf("seed %d: %s in slot %d: %v, want %v", seed, tenant, slot, got[slot], want)
		}
	}
}
