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
	equal(t, "load of web-1, where a gap takes the value before it and 100 % is the most", loads(p, 0), []float64{2, 2, 4, 1})
	equal(t, "load of db/2, with two cores by default", loads(p, 1), []float64{0.2, 0.4, 0.6, 0.8})
	if p.Clipped != 1 || p.Filled != 1 || p.Every != 5*time.Minute || p.Span != 20*time.Minute {
		t.Errorf("pool = %+v, want 1 value clipped, 1 filled, a sample every 5 min over 20 min", p)
	}
	if h := p.Hosts[1]; h.Name != "db-2" || h.Cores != 2 || h.Memory != 4<<30 {
		t.Errorf("second host = %+v, want db-2 with 2 cores and 4 GiB", h)
	}
}

func TestLongUsageIsTheSameInAnyOrder(t *testing.T) {
	p := hosts(t, "t_seconds,series_id,cpu_pct\n900,a,40\n300,a,20\n600,b,1\n300,a,10\n601,a,30\n300,b,2\n900,b,3\n", HostOptions{})
	equal(t, "load of a, where the later line of two counts", loads(p, 0), []float64{0.2, 0.6, 0.8})
	equal(t, "load of b", loads(p, 1), []float64{0.04, 0.02, 0.06})
	if p.Begin != 300*time.Second || p.Every != 300*time.Second {
		t.Errorf("pool = %+v, want it to begin at 300 s, with a sample every 300 s", p)
	}
}

func TestGzipIsSeenByItsFirstBytes(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte("\xef\xbb\xbf" + wideUsage))
	_ = z.Close()
	if p := hosts(t, b.String(), HostOptions{}); len(p.Hosts) != 2 {
		t.Errorf("hosts in a gzip file = %d, want 2", len(p.Hosts))
	}
	_, err := Hosts(bytes.NewReader(b.Bytes()[:b.Len()-12]), "cut.csv.gz", HostOptions{})
	if err == nil || !strings.Contains(err.Error(), "fetch the file again") {
		t.Errorf("Hosts(a gzip file cut short) = %v, want an error that says to fetch it again", err)
	}
}

func TestWindowTakeAndMachines(t *testing.T) {
	p := hosts(t, wideUsage, HostOptions{
		From: 200 * time.Second, Until: 900 * time.Second, Take: 1,
		Machines: map[string]Machine{"web-1": {Cores: 16, Memory: 1 << 40}},
	})
	equal(t, "load of web-1, whose cores in the usage file prevail", loads(p, 0), []float64{4, 4})
	if p.Begin != 300*time.Second || len(p.Hosts) != 1 || p.Hosts[0].Memory != 1<<40 {
		t.Errorf("pool = %+v, want it to begin at 300 s, with one host of 1 TiB", p)
	}
}

func TestAGridWithHoles(t *testing.T) {
	p := hosts(t, "series_id,0,60,180\na,10,20,30\n", HostOptions{Cores: 1})
	equal(t, "load of a, without a sample of minute 2", loads(p, 0), []float64{0.1, 0.2, 0.2, 0.3})
}

func TestNamesThatBecomeOneStayTwo(t *testing.T) {
	p := hosts(t, "series_id,0\na.b,1\na/b,2\na-b-2,3\n", HostOptions{})
	seen := map[string]bool{}
	for _, h := range p.Hosts {
		seen[h.Name] = true
	}
	if len(seen) != 3 {
		t.Errorf("names of three hosts = %v, want three", seen)
	}
}

func TestMachinesReadsAnInventory(t *testing.T) {
	m, err := Machines(strings.NewReader("series_id,site,cores,memory_kb\na,x,8,1048576\nb,y,0,\n"), "m.csv", false)
	if err != nil || m["a"] != (Machine{8, 1 << 30}) || m["b"] != (Machine{}) {
		t.Errorf("Machines() = %v, %v, want a with 8 cores and 1 GiB, b with nothing known", m, err)
	}
}

// TestSkipBad leaves out the rows that TestMistakes reports.
func TestSkipBad(t *testing.T) {
	text := "series_id,0,300\na,1,x\nb,1,2\nc,1\n"
	var e *Error
	if _, err := Hosts(strings.NewReader(text), "u.csv", HostOptions{}); !errors.As(err, &e) || e.Count != 2 || !e.Skippable {
		t.Fatalf("Hosts(%q) = %v, want an error of 2 bad rows that can be skipped", text, err)
	}
	if p := hosts(t, text, HostOptions{SkipBad: true}); len(p.Hosts) != 1 || p.Skipped != 2 || p.Hosts[0].Name != "b" {
		t.Errorf("Hosts(%q) with SkipBad = %+v, want b alone, 2 rows skipped", text, p)
	}
}
