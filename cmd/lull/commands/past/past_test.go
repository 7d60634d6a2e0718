package past

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lull/actors/memory"
	"lull/sim/trace"
	"lull/subjects"
	"lull/subjects/history"
)

var now = time.Date(2026, 5, 31, 12, 0, 0, 0, time.UTC)

// put puts a block of n equal samples.
func put(t *testing.T, bus *memory.Bus, host string, origin history.Origin, from time.Time, n int, tenant string) {
	t.Helper()
	b := &history.Block{Origin: origin}
	for i := range n {
		b.Put(history.Slot(from)+int64(i), history.Sample{Mean: 100, Seconds: 120}, history.Owner{Tenant: tenant, Cores: 4})
	}
	if err := bus.PutHistory(t.Context(), history.Message(bus.Pool(), host, b)); err != nil {
		t.Fatal(err)
	}
}

func TestAStepThatAgentAndImportHaveCountsOnceAsTheAgents(t *testing.T) {
	bus := memory.New("test")
	put(t, bus, "b", history.Import, now.Add(-2*time.Hour), 30, "old")
	put(t, bus, "b", history.Agent, now.Add(-80*time.Minute), 10, "web")
	put(t, bus, "b", history.Agent, now.Add(-26*time.Hour), 5, "web")
	put(t, bus, "a", history.Import, now.Add(-40*24*time.Hour), 30, "gone")
	garbage := subjects.Message{Subject: bus.Pool().OfPast("c", "2026010100"), Body: []byte("no block")}
	if err := bus.PutHistory(t.Context(), garbage); err != nil {
		t.Fatal(err)
	}
	s := newSurvey(bus.Pool(), now)
	rows, err := s.rows(t.Context(), bus)
	if err != nil || len(rows) != 2 || s.unread != 1 {
		t.Fatalf("rows() = %+v, %v, with %d unread, want 2 rows, 1 unread", rows, err, s.unread)
	}
	if a := rows[0]; a.Host != "a" || a.Samples != 0 || a.First != nil || a.Blocks != 1 {
		t.Errorf("row of a host whose samples are too old = %+v, want none in its one block", a)
	}
	b := rows[1]
	// The import has 30 steps from 10:00 on, the agent 10 from 10:40 on, so the last one, and 5 of the day before.
	if b.Agent != 15 || b.Imported != 20 || b.Samples != 35 || b.Days != 2 || b.Blocks != 3 || b.Tenant != "web" {
		t.Errorf("row of b = %+v, want 15 samples of the agent, 20 imported, on 2 days, in 3 blocks, tenant web", b)
	}
	if *b.First != "2026-05-30T10:00:00Z" || *b.Last != "2026-05-31T10:58:00Z" || b.Gaps != 720+30-35 {
		t.Errorf("first = %s, last = %s, gaps = %d, want 2026-05-30T10:00:00Z, 2026-05-31T10:58:00Z, %d", *b.First, *b.Last, b.Gaps, 720+30-35)
	}
}

// file writes a file of the test.
func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "usage.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestUnitAndStartGiveValuesTheirMeaning(t *testing.T) {
	wide := file(t, "series_id,cores,0,120,240\nh,8,0.5,,1\n")
	for _, c := range []struct {
		unit string
		want uint16
	}{{"share", 500}, {"percent", 5}} {
		s := source{path: wide, unit: c.unit, start: "2026-05-31T10:00:00Z", tenants: file(t, "host,tenant\nh,web\n")}
		read, err := s.read(now)
		if err != nil {
			t.Fatal(err)
		}
		bus := memory.New("test")
		if r, err := read.Put(t.Context(), bus, false); err != nil || r.New != 2 {
			t.Fatalf("Put() = %+v, %v, want 2 new", r, err)
		}
		survey := newSurvey(bus.Pool(), now)
		rows, err := survey.rows(t.Context(), bus)
		if err != nil || len(rows) != 1 || rows[0].Gaps != 1 || *rows[0].First != "2026-05-31T10:00:00Z" {
			t.Errorf("--unit %s: rows() = %+v, %v, want one with 1 gap, from 2026-05-31T10:00:00Z on", c.unit, rows, err)
		}
		b := &survey.block
		if b.Samples[0].Mean != c.want || b.Owners[0] != (history.Owner{Tenant: "web", Cores: 8}) {
			t.Errorf("--unit %s: sample = %+v of %+v, want a mean of %d, tenant web, 8 cores", c.unit, b.Samples[0], b.Owners, c.want)
		}
	}
}

func TestWhatAFileLacksIsSaidWithARemedy(t *testing.T) {
	for _, c := range []struct {
		text string
		s    source
		want string
	}{
		{"series_id,0,120\nh,5,6\n", source{}, "its first time, 0 s, is not a recent Unix time: say with --start"},
		{"series_id,0,120\nh,5,6\n", source{start: "monday"}, `--start "monday" is no time`},
		{"series_id,0,120\nh,5,6\n", source{unit: "cores"}, `--unit "cores": write percent or share`},
		{"series_id,0,120\nh,5,6\n", source{unit: "share", start: "2026-05-31T10:00:00Z"}, "line 2: host h at 2026-05-31T10:00:00Z: 5 is no share of the host: give values from 0 to 1, or say --unit percent"},
		{"series_id,0,120\nh,0.5,0.6\n", source{start: "2026-05-31T10:00:00Z"}, "no value is above 1"},
		{"series_id,0,120\na,5,6\nh.x,5,6\n", source{start: "2026-05-31T10:00:00Z"}, `line 3: host "h.x" holds '.': use letters, digits, '-' and '_'; use the names that ` + "`lull hosts` lists"},
		{"series_id,0,120\nh,5,6\nh,5,6\n", source{start: "2026-05-31T10:00:00Z"}, "stands in line 2 already"},
	} {
		c.s.path = file(t, c.text)
		if _, err := c.s.read(now); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("read() of %q with %+v = %v, want an error with %q", c.text, c.s, err, c.want)
		}
	}
}

// --cores has the bounds of a file's column.
func TestCoresAreBounded(t *testing.T) {
	s := source{cores: trace.MaxCores + 1}
	if _, err := s.read(time.Now()); err == nil || !strings.Contains(err.Error(), "--cores 4097") {
		t.Errorf("read() = %v, want an error that names --cores 4097", err)
	}
}
