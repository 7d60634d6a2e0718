package policy

import (
	"fmt"
	"testing"

	"lull/placer/predict"
	"lull/placer/topology"
)

// pool has racks of hosts, with uplinks that fall from the first to the last but for the second,
// which is the best.
func pool(racks, hosts int) *predict.Snapshot {
	s := &predict.Snapshot{Tree: &topology.Tree{}}
	for r := range racks {
		up := float64(100 - r)
		if r == 1 {
			up = 1000
		}
		s.Tree.Racks = append(s.Tree.Racks, topology.Rack{Name: fmt.Sprint(r), Up: up, Down: 1e6})
		for h := range hosts {
			s.Tree.Hosts = append(s.Tree.Hosts, topology.Host{Name: fmt.Sprint(r, h), Rack: r, Out: 1, In: 1})
			s.Hosts = append(s.Hosts, predict.Host{Slots: 2, Idle: 2})
		}
	}
	return s
}

func TestPoliciesChooseAsThePaperSays(t *testing.T) {
	s := pool(4, 40)
	for _, test := range []struct {
		policy int
		n      int
		want   string // hosts by rack
	}{
		{0, 10, "[3 3 2 2]"},    // in turn, the best racks first
		{1, 50, "[10 40 0 0]"},  // one after the other
		{2, 50, "[20 20 10 0]"}, // at most 20
		{3, 50, "[10 20 10 10]"},
		{3, 40, "[10 10 10 10]"},
		{3, 1000, "[40 40 40 40]"},
	} {
		counts := make([]int, 4)
		for _, h := range All[test.policy].Choose(s, test.n) {
			counts[s.Tree.Hosts[h].Rack]++
		}
		if got := fmt.Sprint(counts); got != test.want {
			t.Errorf("%s for %d hosts: %s, want %s", All[test.policy].Name, test.n, got, test.want)
		}
	}
}

func TestBetterHostsFirst(t *testing.T) {
	s := pool(1, 5)
	s.Hosts[0].Idle = 0.01 // none could run a task
	s.Hosts[1].Idle = 0.5
	s.Hosts[2].Slots = 1
	s.Hosts[3].Busy = 1 // three slots would share two cores
	for _, p := range All {
		if got := fmt.Sprint(p.Choose(s, 2)); got != "[3 4]" {
			t.Errorf("%s: %s, want the host with all to give and the one that shares", p.Name, got)
		}
		if got := fmt.Sprint(p.Choose(s, 5)); got != "[1 2 3 4]" {
			t.Errorf("%s: %s, want all but host 0", p.Name, got)
		}
	}
}
