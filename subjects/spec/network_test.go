package spec

import (
	"reflect"
	"strings"
	"testing"
)

const networkFile = `switches:
  - {name: east, rate: 40Gbit/s}
racks:
  - {name: r1, rate: 800Mbit/s, switch: east}
  - name: r2
    up: 100MB/s
    down: 200MB/s
    nics:
      h1: 10Gbps
      h2: {up: 1Gbit/s, down: 2Gbit/s}
`

func TestParseNetwork(t *testing.T) {
	got, err := ParseNetwork([]byte(networkFile))
	if err != nil {
		t.Fatal(err)
	}
	want := &Network{
		Switches: []Link{{Name: "east", Up: 5e9, Down: 5e9}},
		Racks: []Rack{
			{Link: Link{Name: "r1", Up: 1e8, Down: 1e8}, Above: "east"},
			{Link: Link{Name: "r2", Up: 1e8, Down: 2e8}, NICs: []Link{{Name: "h1", Up: 1.25e9, Down: 1.25e9}, {Name: "h2", Up: 1.25e8, Down: 2.5e8}}},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("network =\n%+v\nwant\n%+v", got, want)
	}
}

// TestBadNetworks: each mistake is told with its line, its column and a caret.
func TestBadNetworks(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"up: 100MB/s", "upp: 100MB/s", `line 6, column 5: racks[1].upp: unknown field: did you mean "up"?`},
		{"name: r2", "name: r1", "line 5, column 11: racks[1].name: rack r1 is there twice: remove one"},
		{"h2: {", "h1: {", "line 10, column 7: racks[1].nics.h1: it is given twice: remove one"},
		{"switch: east}", "switch: east, nics: {h1: 1Gbit/s}}", "line 9, column 7: racks[1].nics.h1: host h1 is in two racks, r1 and r2: leave it out of one"},
		{"800Mbit/s", "0Mbit/s", `racks[0].rate: "0Mbit/s" is no rate of a link: give one above 0`},
		{"800Mbit/s", "800", `line 4, column 22: racks[0].rate: "800" has no unit: write 10Gbit/s, or 100MB/s`},
		{"800Mbit/s", "fast", `"fast" is not a rate: write 10Gbit/s, or 100MB/s`},
		{"    up: 100MB/s\n", "", "rack r2 needs a rate for each direction of its uplink"},
		{"switch: east", "switch: west", "there is no switch west"},
		{"rate: 40Gbit/s}", "rate: 40Gbit/s, switch: west}\n  - {name: west, rate: 1Gbit/s, switch: east}", "switches[0].switch: the switches lead in a loop: east → west → east"},
		{"rate: 40Gbit/s}", "rate: 40Gbit/s, switch: east}", "the switches lead in a loop: east → east"},
		{"rate: 40Gbit/s}", "rate: 40Gbit/s, switch: west}\n  - {name: west, rate: 1Gbit/s}", "a switch leads to the core"},
		{networkFile, "racks: []", "there is none"},
	} {
		_, err := ParseNetwork([]byte(strings.Replace(networkFile, c.from, c.to, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.to, err, c.want)
		} else if c.to != "racks: []" && !strings.HasSuffix(err.Error(), "^") {
			t.Errorf("%s: error %v, want a caret at its end", c.to, err)
		}
	}
}

func FuzzNetwork(f *testing.F) {
	f.Add([]byte(networkFile))
	f.Fuzz(func(_ *testing.T, doc []byte) { _, _ = ParseNetwork(doc) })
}
