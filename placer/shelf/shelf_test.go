package shelf

import (
	"fmt"
	"testing"

	"lull/placer/predict"
	"lull/placer/topology"
)

// mixed has two racks; in the first a host with a slower NIC stands between two that differ by what
// their primaries leave, and one that leaves nothing.
func mixed() *predict.Snapshot {
	s := &predict.Snapshot{Tree: &topology.Tree{Racks: []topology.Rack{{Name: "a", Up: 1, Down: 1}, {Name: "b", Up: 1, Down: 1}}}}
	for i, h := range []struct {
		rack      int
		nic, idle float64
	}{{0, 2, 0.5}, {0, 1, 2}, {0, 2, 2}, {0, 2, 0.01}, {1, 2, 1}} {
		s.Tree.Hosts = append(s.Tree.Hosts, topology.Host{Name: fmt.Sprint(i), Rack: h.rack, Out: h.nic, In: h.nic})
		s.Hosts = append(s.Hosts, predict.Host{Slots: 2, Idle: h.idle})
	}
	return s
}

func TestShelvesHoldTheBetterFirst(t *testing.T) {
	shelves := Shelve(mixed())
	if got := fmt.Sprint(shelves); got != "[{0 [2 0]} {0 [1]} {1 [4]}]" {
		t.Errorf("Shelve() = %v, want [{0 [2 0]} {0 [1]} {1 [4]}]", got)
	}
	if got := fmt.Sprint(Take(nil, shelves, []int{1, 1, 1})); got != "[1 2 4]" {
		t.Errorf("Take(one of each) = %v, want [1 2 4]", got)
	}
	if got := fmt.Sprint(Usable(mixed())); got != "[2 1 4 0]" {
		t.Errorf("Usable() = %v, want [2 1 4 0]", got)
	}
}

func TestSlotsLeaveOutWhatCouldNotRun(t *testing.T) {
	for host, want := range map[predict.Host]int{
		{Slots: 2, Idle: 2}:            2,
		{Slots: 2, Idle: 0.07}:         1,
		{Slots: 2, Busy: 1, Idle: 0.1}: 1,
		{Slots: 2}:                     0,
	} {
		if got := Slots(host); got != want {
			t.Errorf("%+v: %d slots, want %d", host, got, want)
		}
	}
}
