package trace

import (
	"bytes"
	"compress/gzip"
	"errors"
	"strings"
	"testing"
	"time"

	"lull/sim"
)

const wideUsage = "series_id,cores,0,300,600,900\nweb-1,4,50,,150,25\ndb/2,,10,20,30,40\n"

func hosts(t *testing.T, text string, o HostOptions) *Pool {
	t.Helper()
	p, err := Hosts(strings.NewReader(text), "usage.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func loads(p *Pool, i int) []float64 { return p.Hosts[i].Load.(sim.Series).Cores }

func equal(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s = %v, want %v", what, got, want)
	}
	for i := range got {
		if d := got[i] - want[i]; d > 1e-6 || d < -1e-6 {
			t.Fatalf("%s = %v, want %v", what, got, want)
		}
	}
}

func TestWideUsage(t *testing.T) {
	p := hosts(t, wideUsage, HostOptions{Cores: 2})
	equal(t, "web-1: missing takes the value before, above 100 % is clipped", loads(p, 0), []float64{2, 2, 4, 1})
	equal(t, "db/2: two cores by default", loads(p, 1), []float64{0.2, 0.4, 0.6, 0.8})
	if p.Clipped != 1 || p.Filled != 1 || p.Every != 5*time.Minute || p.Span != 20*time.Minute {
		t.Errorf("%+v", p)
	}
	if h := p.Hosts[1]; h.Name != "db-2" || h.Cores != 2 || h.Memory != 4<<30 {
		t.Errorf("%+v", h)
	}
}

func TestLongUsageIsTheSameInAnyOrder(t *testing.T) {
	p := hosts(t, "t_seconds,series_id,cpu_pct\n900,a,40\n300,a,20\n600,b,1\n300,a,10\n601,a,30\n300,b,2\n900,b,3\n", HostOptions{})
	equal(t, "a: the later line stands", loads(p, 0), []float64{0.2, 0.6, 0.8})
	equal(t, "b", loads(p, 1), []float64{0.04, 0.02, 0.06})
	if p.Begin != 300*time.Second || p.Every != 300*time.Second {
		t.Errorf("%+v", p)
	}
}

func TestGzipIsSeenByItsFirstBytes(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte("\xef\xbb\xbf" + wideUsage))
	_ = z.Close()
	if p := hosts(t, b.String(), HostOptions{}); len(p.Hosts) != 2 {
		t.Errorf("%d hosts", len(p.Hosts))
	}
	_, err := Hosts(bytes.NewReader(b.Bytes()[:b.Len()-12]), "cut.csv.gz", HostOptions{})
	if err == nil || !strings.Contains(err.Error(), "fetch the file again") {
		t.Errorf("a file that was cut: %v", err)
	}
}

func TestWindowTakeAndMachines(t *testing.T) {
	p := hosts(t, wideUsage, HostOptions{
		From: 200 * time.Second, Until: 900 * time.Second, Take: 1,
		Machines: map[string]Machine{"web-1": {Cores: 16, Memory: 1 << 40}},
	})
	equal(t, "the file's own cores prevail", loads(p, 0), []float64{4, 4})
	if p.Begin != 300*time.Second || len(p.Hosts) != 1 || p.Hosts[0].Memory != 1<<40 {
		t.Errorf("%+v", p)
	}
}

func TestAGridWithHoles(t *testing.T) {
	p := hosts(t, "series_id,0,60,180\na,10,20,30\n", HostOptions{Cores: 1})
	equal(t, "minute 2 is missing", loads(p, 0), []float64{0.1, 0.2, 0.2, 0.3})
}

func TestNamesThatBecomeOneStayTwo(t *testing.T) {
	p := hosts(t, "series_id,0\na.b,1\na/b,2\na-b-2,3\n", HostOptions{})
	seen := map[string]bool{}
	for _, h := range p.Hosts {
		seen[h.Name] = true
	}
	if len(seen) != 3 {
		t.Errorf("%v", seen)
	}
}

func TestMachinesReadsAnInventory(t *testing.T) {
	m, err := Machines(strings.NewReader("series_id,site,cores,memory_kb\na,x,8,1048576\nb,y,0,\n"), "m.csv", false)
	if err != nil || m["a"] != (Machine{8, 1 << 30}) || m["b"] != (Machine{}) {
		t.Errorf("%v, %v", m, err)
	}
}

// TestSkipBad leaves out the rows that TestMistakes reports.
func TestSkipBad(t *testing.T) {
	text := "series_id,0,300\na,1,x\nb,1,2\nc,1\n"
	var e *Error
	if _, err := Hosts(strings.NewReader(text), "u.csv", HostOptions{}); !errors.As(err, &e) || e.Count != 2 || !e.Skippable {
		t.Fatalf("%v", err)
	}
	if p := hosts(t, text, HostOptions{SkipBad: true}); len(p.Hosts) != 1 || p.Skipped != 2 || p.Hosts[0].Name != "b" {
		t.Errorf("%+v", p)
	}
}
