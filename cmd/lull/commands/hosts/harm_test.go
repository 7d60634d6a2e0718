package hosts

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
)

// told is a ledger of a shop with two hosts, and one host without a tenant that measures nothing,
// as of three seconds after 1970 began.
func told(t *testing.T) *ledger.State {
	t.Helper()
	s := ledger.New()
	harmed := func(host, sensor string, term uint64, delay float64) *subjects.Harmed {
		return &subjects.Harmed{
			Host: host, Term: term, From: 1, To: 2, Harvested: 7200, Primary: 3600,
			Delay: delay, Sensor: sensor, Budget: 0.05, Evictions: 1,
		}
	}
	for i, e := range []subjects.Event{
		&subjects.Joined{Host: "a", Tenant: "shop"}, &subjects.Joined{Host: "b", Tenant: "shop"}, &subjects.Joined{Host: "c"},
		harmed("a", "eBPF", 1, 36), harmed("b", "PSI", 2, 0), harmed("c", "", 3, 0),
	} {
		if v := s.Apply(uint64(i+1), time.Unix(3, 0), e); v.Outcome == ledger.Void {
			t.Fatalf("Apply(%T) = void (%s), want it accepted", e, v.Why)
		}
	}
	return s
}

func TestHarmByTenantAndByHost(t *testing.T) {
	s, now := told(t), time.Unix(4, 0)
	table := func(rows []harmRow, whole, oneHost bool) (lines []string) {
		for _, r := range rows {
			lines = append(lines, strings.Join(r.cells(whole, oneHost), " | "))
		}
		return lines
	}
	for _, c := range []struct {
		got, want []string
	}{
		{table(harmRows(s, now, true, nil), false, false), []string{
			"- | 1 | 2.00 h | 1.00 h | - | - | 1",
			"shop | 2 | 4.00 h | 2.00 h | 0.5% | 5% | 2",
		}},
		{table(harmRows(s, now, false, []string{"shop"}), true, true), []string{
			"shop | a | 2.00 h | 1.00 h | 1% | 5% | 1",
			"shop | b | 2.00 h | 1.00 h | 0% | 5% | 1",
		}},
		{table(harmRows(s, now.Add(48*time.Hour), true, []string{"shop"}), false, false), []string{
			"shop | 2 | 0.00 h | 0.00 h | - | - | 0",
		}},
		{table(harmRows(s, now, true, []string{"nobody"}), false, false), nil},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("rows =\n%s\nwant\n%s", strings.Join(c.got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

func TestHarmAsJSON(t *testing.T) {
	rows := harmRows(told(t), time.Unix(4, 0), true, nil)
	text, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"tenant":"-","hosts":["c"],"sensors":[]`, `"delay":null,"budget":null`,
		`"tenant":"shop","hosts":["a","b"],"sensors":["eBPF","PSI"]`, `"delay_seconds":36,"delay":0.005,"budget":0.05,"evicted":2`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("JSON = %s, want %s in it", text, want)
		}
	}
}

func TestHostsTellOfTheGuard(t *testing.T) {
	s := told(t)
	u := &subjects.Usage{Host: "a", Primary: 0.5, Batch: 1, Sensor: "eBPF", Delay: 0.0042, Budget: 0.05, Cap: 2}
	row := rowOf(t, s, "a", u)
	if got := row.delay() + ", " + row.protection(); got != "0.42/5%, " {
		t.Errorf("delay and protection = %q, want %q", got, "0.42/5%, ")
	}
	u.Guarded = "tasks may use 1 of 2 cores: on more, the primary waited for a CPU"
	if got := row.protection(); !strings.HasPrefix(got, "tasks may use 1 of 2 cores: on more, the primary waited") {
		t.Errorf("protection under guard = %q, want what it is held to, and why", got)
	}
	if silent := rowOf(t, s, "b", nil); silent.delay() != "-" {
		t.Errorf("delay of a host without usage = %s, want -", silent.delay())
	}
}

func TestLabelsTakeRoomOnlyWhereThereAreAny(t *testing.T) {
	plain, labelled := hostRow{Host: "a"}, hostRow{Host: "b", Labels: []string{"gpu=yes", "zone=1"}}
	if header, cells := hostColumns([]hostRow{plain}); slices.Contains(header, "LABELS") || len(cells(plain)) != len(header) {
		t.Errorf("header without labels = %v, want no LABELS and a cell for each column", header)
	}
	header, cells := hostColumns([]hostRow{plain, labelled})
	at := slices.Index(header, "LABELS")
	if at < 0 || cells(labelled)[at] != "gpu=yes,zone=1" || len(cells(plain)) != len(header) {
		t.Errorf("header = %v, cells = %v, want LABELS with gpu=yes,zone=1 and a cell for each column", header, cells(labelled))
	}
}

func TestDelayPerCPUSecond(t *testing.T) {
	for share, want := range map[float64]string{0: "0%", 1e-6: "0.00%", 0.000054: "0.01%", 0.0004: "0.04%", 0.0131: "1.3%", 0.05: "5%", 0.2512: "25%", 3: "300%"} {
		if got := perCPU(share); got != want {
			t.Errorf("perCPU(%g) = %q, want %q", share, got, want)
		}
	}
}
