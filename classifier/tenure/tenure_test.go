package tenure

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/history"
)

var monday = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

// log folds events, each at an hour since Monday.
type log struct {
	Hosts
	seq uint64
}

func (l *log) at(hour int, e subjects.Event) uint64 {
	l.seq++
	l.Apply(l.seq, monday.Add(time.Duration(hour)*time.Hour), e)
	return l.seq
}

// expect checks the tenants of a host at hours since Monday.
func (l *log) expect(t *testing.T, when, host string, want map[int]string) {
	t.Helper()
	for hour, tenant := range want {
		if got := l.Spans()[host].At(history.Slot(monday.Add(time.Duration(hour) * time.Hour))); got != tenant {
			t.Errorf("%s: tenant of %s in hour %d = %q, want %q", when, host, hour, got, tenant)
		}
	}
}

func joined(host, tenant string) *subjects.Joined {
	return &subjects.Joined{Host: host, Tenant: tenant}
}

func listed(tenant string, hosts ...string) *subjects.Owned {
	return &subjects.Owned{Tenants: []subjects.OwnedHosts{{Tenant: tenant, Hosts: hosts}}}
}

func TestAClaimCountsFromItsJoinOn(t *testing.T) {
	var l log
	l.expect(t, "in an empty log", "a", map[int]string{0: ""})
	l.at(10, joined("a", "shop"))
	l.at(20, joined("a", "shop"))
	l.at(30, joined("a", "mail"))
	l.expect(t, "after two tenants", "a", map[int]string{0: "shop", 10: "shop", 29: "shop", 30: "mail", 99: "mail"})
	if n := len(l.Spans()["a"]); n != 2 {
		t.Errorf("spans of two tenants = %d, want 2", n)
	}
}

func TestAListCountsInsteadOfClaims(t *testing.T) {
	var l log
	l.at(10, joined("a", "shop"))
	l.at(10, joined("b", "shop"))
	l.at(20, listed("mail", "a", "late"))
	l.expect(t, "after the first list", "a", map[int]string{0: "mail", 10: "mail", 20: "mail"})
	l.expect(t, "after the first list", "b", map[int]string{0: "", 20: ""})
	l.expect(t, "before it joins", "late", map[int]string{0: "mail", 30: "mail"})
	l.at(30, joined("late", "shop"))
	l.at(30, joined("a", "shop"))
	l.at(40, listed("bank", "a"))
	l.expect(t, "after the second list", "a", map[int]string{0: "mail", 39: "mail", 40: "bank"})
	l.expect(t, "after the second list", "late", map[int]string{0: "mail", 39: "mail", 40: ""})
	l.at(50, &subjects.Owned{Tenants: []subjects.OwnedHosts{{Tenant: "x", Hosts: []string{"a"}}, {Tenant: "y", Hosts: []string{"a"}}}})
	l.expect(t, "after a list that the ledger makes void", "a", map[int]string{50: "bank"})
	l.at(60, &subjects.Owned{})
	l.expect(t, "after the lists", "a", map[int]string{0: "mail", 59: "bank", 60: "shop"})
}

// A server's clock that is set back, or was far ahead, leaves no tenant behind.
func TestWhatTheLogSaysLastCounts(t *testing.T) {
	var l log
	l.at(0, joined("a", "shop"))
	l.at(10_000, joined("a", "mail"))
	l.expect(t, "with a stamp of the future", "a", map[int]string{5: "shop"})
	l.at(5, joined("a", "bank"))
	l.expect(t, "after the next entry", "a", map[int]string{4: "shop", 5: "bank", 10_001: "bank"})
}

// Spans that an action holds stay as they are.
func TestSpansDoNotChange(t *testing.T) {
	var l log
	l.at(0, joined("a", "shop"))
	before := l.Spans()
	for hour := range 10 {
		l.at(hour+1, joined("a", fmt.Sprint("t", hour%3)))
		l.at(hour, joined("a", "back"))
	}
	if want := (Spans{{history.Slot(monday), "shop"}}); !reflect.DeepEqual(before["a"], want) {
		t.Errorf("Spans() after further entries = %v, want %v", before["a"], want)
	}
}

func TestSpansOfAHostAreBounded(t *testing.T) {
	var l log
	for i := range 3 * mostSpans {
		l.at(i, joined("a", fmt.Sprint("t", i)))
	}
	if n := len(l.Spans()["a"]); n != mostSpans {
		t.Errorf("spans after %d tenants = %d, want %d", 3*mostSpans, n, mostSpans)
	}
	old := l.Spans()["a"].At(0)
	l.at(24*90, joined("a", "new"))
	l.at(24*91, joined("a", "newer"))
	if spans := l.Spans()["a"]; len(spans) != 3 || spans.At(0) == old {
		t.Errorf("spans after three months = %v, want the last that began before them, and two", spans)
	}
}

// Names of hosts are as many as somebody invents, if one key may use all names.
func TestHostsAreBounded(t *testing.T) {
	var l log
	for i := range mostHosts {
		term := l.at(0, joined(fmt.Sprint("h", i), "shop"))
		if i%2 == 0 {
			l.at(1, &subjects.Left{Host: fmt.Sprint("h", i), Term: term})
		}
	}
	l.at(2, joined("new", "shop"))
	if n := len(l.Spans()); n != mostHosts {
		t.Errorf("hosts = %d, want %d and no more", n, mostHosts)
	}
	l.expect(t, "without room", "new", map[int]string{2: ""})
	l.at(3, joined("h0", "shop")) // it is back
	l.at(24*40, joined("new", "shop"))
	if n := len(l.Spans()); n != mostHosts/2+2 {
		t.Errorf("hosts after a month = %d, want the present ones, %d", n, mostHosts/2+2)
	}
	l.expect(t, "with room", "new", map[int]string{24 * 40: "shop"})
}

// An agent that has joined again is not gone by what is said of its last life.
func TestAnEarlierLifeEndsNothing(t *testing.T) {
	var l log
	first := l.at(0, joined("a", "shop"))
	l.at(1, joined("a", "shop"))
	l.at(2, &subjects.Lost{Host: "a", Term: first})
	if l.of["a"].gone != 0 {
		t.Error("a host is gone by the loss of its earlier term, want it present")
	}
}

func TestASnapshotHoldsAll(t *testing.T) {
	var l log
	l.at(0, joined("a", "shop"))
	term := l.at(1, joined("b", ""))
	l.at(2, listed("mail", "a", "c"))
	l.at(3, listed("mail", "b"))
	l.at(4, &subjects.Left{Host: "b", Term: term})
	body, err := subjects.Marshal(l.Pack())
	if err != nil {
		t.Fatal(err)
	}
	var form Form
	var again log
	if err := subjects.Unmarshal(body, &form); err != nil {
		t.Fatal(err)
	}
	if err := again.Load(form); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again.Hosts, l.Hosts) {
		t.Errorf("Load(Pack()) = %+v, want %+v", again.Hosts, l.Hosts)
	}
	form.Hosts = append(form.Hosts, form.Hosts[0])
	if again.Load(form) == nil {
		t.Error("Load(a host twice) succeeded, want an error")
	}
}

func TestTenantsBetweenSlots(t *testing.T) {
	s := Spans{{10, "a"}, {20, "b"}, {30, "c"}}
	for _, c := range []struct {
		first, end int64
		want       []string
	}{{0, 5, []string{"a"}}, {10, 21, []string{"a", "b"}}, {20, 30, []string{"b"}}, {25, 99, []string{"b", "c"}}} {
		if got := s.Between(c.first, c.end); !reflect.DeepEqual(got, c.want) {
			t.Errorf("Between(%d, %d) = %v, want %v", c.first, c.end, got, c.want)
		}
	}
	if got := Spans(nil).Between(0, 9); !reflect.DeepEqual(got, []string{""}) {
		t.Errorf("Between() of an unknown host = %q, want one without a name", got)
	}
}
