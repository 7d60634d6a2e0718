package archive

import (
	"math"
	"slices"
	"testing"
	"time"

	"lull/classifier/series"
	"lull/classifier/tenure"
	"lull/subjects/history"
)

var monday = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

// block has n samples of one usage from a time on.
func block(origin history.Origin, at time.Time, n int, tenant string, used float64, seconds uint8) *history.Block {
	b := &history.Block{Origin: origin, From: history.Slot(at)}
	for i := range n {
		s := history.Sample{Mean: history.Thousandths(used), Peak: history.Thousandths(used + 0.1), Seconds: seconds}
		b.Put(b.From+int64(i), s, history.Owner{Tenant: tenant, Cores: 4})
	}
	return b
}

func put(a *Archive, host string, b *history.Block) { a.Put(host, b, b.Append(nil)) }

// owned are hosts of one tenant each, all the time.
func owned(tenants map[string]string) map[string]tenure.Spans {
	all := map[string]tenure.Spans{}
	for host, tenant := range tenants {
		all[host] = tenure.Spans{{Tenant: tenant}}
	}
	return all
}

// used is what a tenant used in the first slots of Monday.
func used(t *testing.T, a *Archive, tenant string, slots int) []float32 {
	t.Helper()
	average, err := series.NewAverage(monday, series.Step, slots)
	if err != nil {
		t.Fatal(err)
	}
	a.AddTo(average, tenant, monday, monday.Add(time.Duration(slots)*series.Step))
	return average.Series().Mean
}

func same(got []float32, want ...float64) bool {
	return slices.EqualFunc(got, want, func(g float32, w float64) bool {
		return math.IsNaN(w) && g != g || math.Abs(float64(g)-w) < 1e-6
	})
}

func TestATenantIsTheAverageOfItsHosts(t *testing.T) {
	a, nan := New(), math.NaN()
	put(a, "h1", block(history.Agent, monday, 4, "shop", 0.2, 120))
	put(a, "h2", block(history.Agent, monday.Add(2*series.Step), 4, "shop", 0.6, 120))
	put(a, "h3", block(history.Agent, monday, 4, "", 0.9, 120))
	a.Assign(owned(map[string]string{"h1": "shop", "h2": "shop"}))
	if got := a.Tenants(); !slices.Equal(got, []string{"host:h3", "shop"}) {
		t.Errorf("Tenants() = %v, want [host:h3 shop]", got)
	}
	if got := used(t, a, "shop", 7); !same(got, 0.2, 0.2, 0.4, 0.4, 0.6, 0.6, nan) {
		t.Errorf("usage of shop = %v, want 0.2 twice, 0.4 twice, 0.6 twice and a gap", got)
	}
	if got := used(t, a, "host:h3", 2); !same(got, 0.9, 0.9) {
		t.Errorf("usage of host:h3 = %v, want 0.9 twice", got)
	}
	if got := used(t, a, "unknown", 2); !same(got, nan, nan) {
		t.Errorf("usage of an unknown tenant = %v, want gaps", got)
	}
	if first, ok := a.First("shop"); !ok || !first.Equal(monday) {
		t.Errorf("First(shop) = %v, %v, want %v, true", first, ok, monday)
	}
	if _, ok := a.First("unknown"); ok {
		t.Error("First(unknown) = true, want false")
	}
}

func TestSamplesBelongToTheTenantOfTheirTime(t *testing.T) {
	a, nan := New(), math.NaN()
	b := block(history.Agent, monday, 2, "shop", 0.2, 120)
	for i := range int64(2) {
		b.Put(b.From+2+i, history.Sample{Mean: 700, Peak: 700, Seconds: 120}, history.Owner{Tenant: "shop"})
	}
	put(a, "h", b)
	a.Assign(map[string]tenure.Spans{"h": {{Tenant: "shop"}, {From: b.From + 2, Tenant: "mail"}}})
	if shop, mail := used(t, a, "shop", 4), used(t, a, "mail", 4); !same(shop, 0.2, 0.2, nan, nan) || !same(mail, nan, nan, 0.7, 0.7) {
		t.Errorf("usage of shop, mail = %v, %v, want 0.2 twice then gaps, gaps then 0.7 twice", shop, mail)
	}
}

// A host's key writes its blocks, so each may name any tenant.
func TestWhatAnAgentSaysOfItsOwnerCountsNowhere(t *testing.T) {
	a, nan := New(), math.NaN()
	put(a, "good", block(history.Agent, monday, 2, "shop", 0.2, 120))
	put(a, "forger", block(history.Agent, monday, 4, "shop", 0.8, 120))
	a.Assign(owned(map[string]string{"good": "shop", "forger": "mail"}))
	if shop, mail := used(t, a, "shop", 3), used(t, a, "mail", 3); !same(shop, 0.2, 0.2, nan) || !same(mail, 0.8, 0.8, 0.8) {
		t.Errorf("usage of shop, mail = %v, %v, want 0.2 twice then a gap, and 0.8 three times", shop, mail)
	}
	a.Assign(owned(map[string]string{"good": "shop"}))
	if got := a.Tenants(); !slices.Equal(got, []string{"host:forger", "shop"}) {
		t.Errorf("Tenants() = %v, want [host:forger shop]", got)
	}
}

// An operator's key writes imported blocks: they keep their owners, also of hosts that belong to another tenant by now.
func TestImportedSamplesKeepTheirOwners(t *testing.T) {
	a, nan := New(), math.NaN()
	week := history.TimeOf(history.WeekOf(history.Slot(monday)))
	put(a, "h", block(history.Import, week, history.PerWeek, "shop", 0.5, 120))
	put(a, "h", block(history.Agent, monday, 1, "shop", 0.2, 120))
	a.Assign(owned(map[string]string{"h": "mail"}))
	if shop, mail := used(t, a, "shop", 2), used(t, a, "mail", 2); !same(shop, nan, 0.5) || !same(mail, 0.2, nan) {
		t.Errorf("usage of shop, mail = %v, %v, want a gap and 0.5, 0.2 and a gap", shop, mail)
	}
	if first, ok := a.First("shop"); !ok || !first.Equal(week) {
		t.Errorf("First(shop) = %v, %v, want %v, true", first, ok, week)
	}
}

func TestWhichBlockCounts(t *testing.T) {
	week := history.TimeOf(history.WeekOf(history.Slot(monday)))
	a := New()
	a.Assign(owned(map[string]string{"h": "shop"}))
	past := block(history.Import, week, history.PerWeek, "shop", 0.5, 120)
	put(a, "h", block(history.Agent, monday, 2, "shop", 0.2, 7)) // the agent saw 7 of 120 seconds
	put(a, "h", past)
	if got := used(t, a, "shop", 3); !same(got, 0.2, 0.2, 0.5) {
		t.Errorf("usage of shop beside an import = %v, want 0.2, 0.2, 0.5", got)
	}
	put(a, "h", block(history.Agent, monday, 2, "shop", 0.3, 120)) // replaces the first
	if got := used(t, a, "shop", 3); !same(got, 0.3, 0.3, 0.5) {
		t.Errorf("usage of shop after another block of the name = %v, want 0.3, 0.3, 0.5", got)
	}
	// An agent with a new data folder began another block within the hour of an old one.
	put(a, "h", block(history.Agent, monday.Add(time.Hour), 1, "shop", 0.4, 50))
	long := block(history.Agent, monday, 31, "shop", 0.3, 60)
	put(a, "h", long)
	if got := used(t, a, "shop", 31)[30]; !same([]float32{got}, 0.3) {
		t.Errorf("of two samples the one with more seconds is to count: got %v, want 0.3", got)
	}
}

func TestOldBlocksAreForgotten(t *testing.T) {
	a := New()
	put(a, "old", block(history.Agent, monday, 10, "shop", 0.2, 120))
	put(a, "new", block(history.Agent, monday.AddDate(0, 0, 2), 10, "mail", 0.2, 120))
	put(a, "new", block(history.Agent, monday, 10, "shop", 0.2, 120))
	day := history.Slot(monday.AddDate(0, 0, 1))
	a.Assign(map[string]tenure.Spans{"old": {{Tenant: "shop"}}, "new": {{Tenant: "shop"}, {From: day, Tenant: "mail"}}})
	full := a.Bytes()
	a.Forget(monday.AddDate(0, 0, 1))
	if got := a.Tenants(); !slices.Equal(got, []string{"mail"}) || a.Hosts() != 1 || 3*a.Bytes() != full {
		t.Errorf("after Forget: %v on %d hosts, %d of %d bytes, want mail on 1 and a third of the bytes", got, a.Hosts(), a.Bytes(), full)
	}
	a.Forget(monday.AddDate(0, 1, 0))
	if a.Bytes() != 0 || a.Hosts() != 0 {
		t.Errorf("after Forget of all: %d bytes of %d hosts, want 0 of 0", a.Bytes(), a.Hosts())
	}
}
