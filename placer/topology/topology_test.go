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
	left := pods().Left([]Traffic{{Out: 3, In: 1}, {Out: 20}, {}})
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
		t.Error("Left changed nothing")
	}
}

func TestPromisesAddUp(t *testing.T) {
	tree := pods()
	one := Promise{Rates: make([]float64, tree.Links())}
	one.Rates[tree.Up(0)], one.Rates[tree.Down(2)] = 30, 20
	left := tree.Less(one, one)
	if r := left.Racks[0]; r.Up != 40 || r.Down != 90 {
		t.Errorf("rack a has %v and %v left, want 40 and 90", r.Up, r.Down)
	}
	if r := left.Racks[2]; r.Down != 10 {
		t.Errorf("rack c has %v left, want 10", r.Down)
	}
	if tree.Racks[0].Up != 100 {
		t.Error("Less changed the tree it was asked of")
	}
}

func TestCheckNamesWhatIsWrong(t *testing.T) {
	if err := pods().Check(); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*Tree){
		"rack a is there twice":      func(t *Tree) { t.Racks[1].Name = "a" },
		"host a1 is there twice":     func(t *Tree) { t.Hosts[2].Name = "a1" },
		"rack b: a rate of 0":        func(t *Tree) { t.Racks[1].Down = 0 },
		"aggregation west: a rate":   func(t *Tree) { t.Aggregations[1].Up = math.NaN() },
		"host c1: there is no rack":  func(t *Tree) { t.Hosts[2].Rack = 4 },
		"rack c: there is no aggreg": func(t *Tree) { t.Racks[2].Above = 3 },
		"rack without a name":        func(t *Tree) { t.Racks[0].Name = "" },
		"the disk's rate":            func(t *Tree) { t.Hosts[0].Disk = -1 },
	} {
		tree := pods()
		spoil(tree)
		if err := tree.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
