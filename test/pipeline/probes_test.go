package pipeline

import (
	"strings"
	"testing"

	"lull/client"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Agents that were started with --probe measure the network between them, and others refuse.
func TestAgentsMeasureTheNetwork(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	f.service("admission", "admission")
	f.service("slotter", "slotter")
	c := f.client()
	f.agent("one", "--labels", "rack=r1", "--probe")
	f.agent("two", "--labels", "rack=r2", "--probe")
	f.agent("three", "--labels", "rack=r2")
	f.hosts(c, 3)
	rack := func(name string) subjects.WiredRack {
		return subjects.WiredRack{WiredLink: subjects.WiredLink{Name: name, Up: 1, Down: 1}}
	}
	if err := c.Append(t.Context(), ledger.New(), &subjects.Wired{Racks: []subjects.WiredRack{rack("r1"), rack("r2")}}); err != nil {
		t.Fatal(err)
	}
	var probes []client.Probe
	var state *ledger.State
	reaches(t, c, "both to be there to probe", func(s *ledger.State) bool {
		state = s
		probes, _, _ = client.Probes(s)
		return len(probes) == 2
	})
	for i := range probes {
		if probes[i].Measure(t.Context(), c, state); probes[i].Error != "" || probes[i].Rate < 1e6 {
			t.Errorf("Measure() between agents with --probe = %+v, want at least 1 MB/s", probes[i])
		}
	}
	refused := client.Probe{FromHost: f.host("three"), ToHost: f.host("one")}
	if refused.Measure(t.Context(), c, state); !strings.Contains(refused.Error, "without --probe") {
		t.Errorf("Measure() from an agent without --probe = %+v, want an error that says so", refused)
	}
}
