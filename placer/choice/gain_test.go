package choice

import (
	"fmt"
	"testing"

	"lull/placer/predict"
	"lull/placer/topology"
	"lull/subjects/tct"
)

// A job that can use eight slots, on two racks of two hosts with two slots each. Its time anywhere counts in proportion to
// the slots that its hosts have free.
func TestTheTimeAnywhereCountsByTheSlotsOfTheHosts(t *testing.T) {
	q := Question{App: &predict.Application{}, Snapshot: &predict.Snapshot{Tree: &topology.Tree{}}, Room: 8}
	curve := tct.Default(10e9)
	q.App.Stages = []predict.Stage{{Tasks: 8, Input: 1, Gives: 1, Curve: curve}, {From: []predict.From{{Kind: predict.Part}}, Tasks: 8, Curve: curve}}
	for r := range 2 {
		q.Snapshot.Tree.Racks = append(q.Snapshot.Tree.Racks, topology.Rack{Name: string(rune('a' + r)), Up: 1e9, Down: 1e9})
		for h := range 2 {
			q.Snapshot.Tree.Hosts = append(q.Snapshot.Tree.Hosts, topology.Host{Name: fmt.Sprint(r, h), Rack: r, In: 1e9, Out: 1e9})
			q.Snapshot.Hosts = append(q.Snapshot.Hosts, predict.Host{Slots: 2, Idle: 2})
		}
	}
	for _, c := range []struct {
		free  int
		slots []int
		gain  float64 // of hosts on which the job is predicted to take half of its time anywhere, which is 20 s
	}{{8, []int{2, 2, 2, 2}, 0.5}, {6, []int{2, 2, 2, 2}, 1 - 10./15}, {8, []int{2, 2}, 0}, {8, []int{2}, -1}} {
		q.Free = c.free
		a := Answer{Slots: c.slots, Result: predict.Result{Seconds: 10}}
		if err := a.gain(q); err != nil {
			t.Fatal(err)
		}
		if d := a.Gain - c.gain; d > 1e-3 || d < -1e-3 {
			t.Errorf("%d slots free, %v on its hosts: the gain is %v, want %v (%v s anywhere)", c.free, c.slots, a.Gain, c.gain, a.Anywhere.Result.Seconds)
		}
	}
}
