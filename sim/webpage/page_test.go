package webpage

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden page; look at it in a browser, in light and dark")

func sample(name string) Report {
	policy := func(name string, shift float64) Policy {
		return Policy{
			Name: name, Met: 12, Missed: 3, Rejected: 1, Free: 2.5, Span: 2 * time.Hour,
			Primary: []float64{1, 2, 3, 2}, Harvested: []float64{0, 4, 4, 1},
			Used: []float64{0.1, 0.5 + shift, 0.9, 3}, Waits: []float64{0, 0.5, 20, 4000},
			Hosts: []Strip{{Name: name, Shares: []float64{0, 0.5, 0.5, 1}}},
		}
	}
	return Report{
		Title: name, Lead: name, Header: []string{"Policy", name}, Notes: []string{name},
		Rows:  []Row{{Cells: []string{name, "12"}, Best: []bool{false, true}}, {Cells: []string{"mp", "3"}}},
		Cores: 8, Policies: []Policy{policy(name, 0), policy("mp", 0.2)},
		Primary: []Strip{{Name: name, Shares: []float64{0.1, 0.2}}}, PrimarySpan: time.Hour,
		Made: []Fact{{name, name}}, Command: "lull sim --jobs " + name,
	}
}

func write(t *testing.T, r Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGoldenPage(t *testing.T) {
	const golden = "testdata/page.html"
	got := write(t, sample("fifo"))
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || got != string(want) {
		t.Errorf("Write() gives another page than %s (%v), want the same: look at it, then run with -update", golden, err)
	}
}

// Names come from strangers: a job, a host or a file may be called anything.
func TestEveryTextIsEscaped(t *testing.T) {
	const evil = `<script>alert("1")</script>'&`
	page := write(t, sample(evil))
	for _, bad := range []string{"<script", `alert("`} {
		if strings.Contains(page, bad) {
			i := strings.Index(page, bad)
			t.Errorf("page of a report called %q holds %s: …%s…, want it escaped", evil, bad, page[max(0, i-80):i+40])
		}
	}
	if !strings.Contains(page, "&lt;script&gt;") {
		t.Errorf("page of a report called %q does not show the name, want it escaped in it", evil)
	}
}

// The plots must be well-formed, or a browser shows half of one.
func TestPlotsAreWellFormed(t *testing.T) {
	plots := regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(write(t, sample("a<b&c")), -1)
	if !slices.ContainsFunc(plots, func(svg string) bool { return strings.Contains(svg, `role="img"`) }) {
		t.Errorf("drawings of the page = %.300q, want plots beside the icons of legends", plots)
	}
	for _, svg := range plots {
		d := xml.NewDecoder(strings.NewReader(svg))
		for {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("Token() = %v, want well-formed XML in %.200s", err, svg)
			}
		}
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("plot = %.300s, want no NaN or Inf in it", svg)
		}
	}
}

// The page stands alone: nothing in it is fetched from anywhere.
func TestPageStandsAlone(t *testing.T) {
	if found := regexp.MustCompile(`https?:|\b(src|href)=|@import|url\(`).FindString(write(t, sample("fifo"))); found != "" {
		t.Errorf("page holds %q, want nothing that is fetched", found)
	}
}

// Nothing happened, or everything at once: no division by what is not there.
func TestEmptyReports(t *testing.T) {
	for _, r := range []Report{{}, {Policies: []Policy{{Name: "mp"}}}, {Cores: 1, Policies: []Policy{{
		Name: "mp", Span: time.Nanosecond, Primary: []float64{0}, Harvested: []float64{0}, Waits: []float64{0}, Used: []float64{1e300},
		Hosts: []Strip{{}},
	}}}} {
		if page := write(t, r); strings.Contains(page, "NaN") || strings.Contains(page, "Inf") {
			t.Errorf("page of %+v holds NaN or Inf, want neither", r)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		got  []tick
		want string
	}{
		{even(60), "0 20 40 60"}, {even(0), "0 0.5 1"}, {even(7), "0 2 4 6"},
		{clock(24*time.Hour, 8), "0|6 h|12 h|18 h|1 d"}, {clock(90*time.Second, 8), "0|15 s|30 s|45 s|1 min|1 min 15 s|1 min 30 s"},
		{decades(0.001, 10), "1 ms|10 ms|0.1 s|1 s|10 s"},
	} {
		separator := " "
		if strings.Contains(c.want, "|") {
			separator = "|"
		}
		var labels []string
		for _, tick := range c.got {
			labels = append(labels, tick.label)
		}
		if got := strings.Join(labels, separator); got != c.want {
			t.Errorf("ticks = %s, want %s", got, c.want)
		}
	}
}
