package topology

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// pods are two aggregations: racks a and b below the first, c below the second, d at the core.
func pods() *Tree {
	return &Tree{
		Aggregations: []Aggregation{{"east", 150, 140}, {"west", 130, 120}},
		Racks:        []Rack{{"a", 100, 90, 1}, {"b", 80, 70, 1}, {"c", 60, 50, 2}, {"d", 40, 30, 0}},
		Hosts:        []Host{{"a1", 0, 10, 10, 5}, {"a2", 0, 10, 10, 5}, {"c1", 2, 10, 10, 0}},
	}
}

func TestPathsClimbAsFarAsTheyMust(t *testing.T) {
	tree := pods()
	for _, test := range []struct {
		from, to int
		want     []float64 // capacities along the way
	}{
		{0, 0, nil},
		{0, 1, []float64{100, 70}},
		{0, 2, []float64{100, 50, 150, 120}},
		{0, 3, []float64{100, 30, 150}},
		{3, 2, []float64{40, 50, 120}},
	} {
		var got []float64
		for _, link := range tree.Path(nil, test.from, test.to) {
			got = append(got, tree.Capacity(link))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("from %d to %d: links of %v, want %v", test.from, test.to, got, test.want)
		}
	}
}

func TestLeftTakesTrafficFromNICsAndUplinks(t *testing.T) {
	left := pods().WithTraffic([]Traffic{{Out: 3, In: 1}, {Out: 20}, {}})
	if h := left.Hosts[0]; h.Out != 7 || h.In != 9 {
		t.Errorf("a1 has %v and %v left, want 7 and 9", h.Out, h.In)
	}
	if h := left.Hosts[1]; math.Abs(h.Out-10*Least) > 1e-12 {
		t.Errorf("a2 sends more than its NIC has: %v left, want the least", h.Out)
	}
	if r := left.Racks[0]; r.Up != 77 || r.Down != 89 {
		t.Errorf("rack a has %v and %v left, want 77 and 89", r.Up, r.Down)
	}
	if a := left.Aggregations[0]; a.Up != 127 || a.Down != 139 {
		t.Errorf("east has %v and %v left, want 127 and 139", a.Up, a.Down)
	}
	if pods().Racks[0] == left.Racks[0] {
		t.Error("WithTraffic() changed nothing, want another rack")
	}
}

// TestLessIsTheFairShare: what a job has of a link beside those that were promised some of it.
func TestLessIsTheFairShare(t *testing.T) {
	for _, test := range []struct {
		promised []float64
		want     float64 // of 100
	}{
		{nil, 100},
		{[]float64{30}, 70},
		{[]float64{30, 20}, 50},
		{[]float64{100}, 50},
		{[]float64{1000, 1000}, 100.0 / 3},
		{[]float64{20, 80}, 40},     // the first keeps what it has, the second gives way
		{[]float64{80, 20}, 40},     // in any order
		{[]float64{10, 30, 60}, 30}, // what is left is the fair share
	} {
		tree := pods()
		var all []Promise
		for _, rate := range test.promised {
			p := Promise{Rates: make([]float64, tree.Links())}
			p.Rates[tree.Up(0)] = rate
			all = append(all, p)
		}
		left := tree.WithPromises(all...)
		if got := left.Racks[0].Up; math.Abs(got-test.want) > 1e-9 {
			t.Errorf("beside %v: %v left of 100, want %v", test.promised, got, test.want)
		}
		if left.Racks[0].Down != 90 || left.Racks[1].Up != 80 {
			t.Errorf("WithPromises(%v) changed other links: %+v, want 90 down, 80 up", test.promised, left.Racks)
		}
		if tree.Racks[0].Up != 100 {
			t.Errorf("WithPromises() changed the tree it was asked of to %v up, want 100", tree.Racks[0].Up)
		}
	}
}

func TestCheckNamesWhatIsWrong(t *testing.T) {
	if err := pods().Check(); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*Tree){
		"rack a is there twice":             func(t *Tree) { t.Racks[1].Name = "a" },
		"host a1 is there twice":            func(t *Tree) { t.Hosts[2].Name = "a1" },
		"rack b: its rate is 0":             func(t *Tree) { t.Racks[1].Down = 0 },
		"aggregation west: its rate":        func(t *Tree) { t.Aggregations[1].Up = math.NaN() },
		"host c1: it is in rack 4":          func(t *Tree) { t.Hosts[2].Rack = 4 },
		"rack c: it is below aggregation 3": func(t *Tree) { t.Racks[2].Above = 3 },
		"rack without a name":               func(t *Tree) { t.Racks[0].Name = "" },
		"the disk's rate":                   func(t *Tree) { t.Hosts[0].Disk = -1 },
	} {
		tree := pods()
		spoil(tree)
		if err := tree.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Check() = %v, want an error that says %q", err, want)
		}
	}
}
