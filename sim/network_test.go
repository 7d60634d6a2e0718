package sim

import (
	"testing"
	"time"

	"lull/placer/topology"
	"lull/subjects/spec"
)

// mapReduce is maps of 10 s that read and write 100 MB, and reduces of 5 s that read a part of each.
func mapReduce(maps, reduces uint32) spec.Job {
	j := work("mr", maps)
	j.Stages[0].Bytes = 100e6
	reduce := j.Stages[0]
	reduce.Name, reduce.Tasks, reduce.Bytes = "reduce", reduces, 0
	reduce.From = []spec.From{{Stage: 0, Partition: true}}
	j.Stages = append(j.Stages, reduce)
	return j
}

// linked is a scenario of one such job on hosts of two cores, one rack for each uplink.
func linked(job spec.Job, perRack int, nic float64, uplinks ...float64) Scenario {
	s := Scenario{Seed: 1, Topology: &topology.Tree{}, Overhead: time.Microsecond, Jobs: []Job{{At: time.Minute, Spec: job}}}
	for r, up := range uplinks {
		rack := string(rune('a' + r))
		s.Topology.Racks = append(s.Topology.Racks, topology.Rack{Name: rack, Up: up, Down: up})
		for h := range perRack {
			name := rack + string(rune('0'+h))
			s.Topology.Hosts = append(s.Topology.Hosts, topology.Host{Name: name, Rack: r, Out: nic, In: nic})
			s.Hosts = append(s.Hosts, Host{Name: name, Cores: 2, Labels: []string{"rack=" + rack}})
		}
	}
	s.Types = []Truth{flat("mr:work", 10), flat("mr:reduce", 5)}
	for i := range s.Types {
		s.Types[i].Gives = 1
	}
	return s
}

// TestFetchesTakeTheirShare compares the time from the first map to the last reduce with what
// one computes by hand.
func TestFetchesTakeTheirShare(t *testing.T) {
	const mb = 1e6
	disks := linked(mapReduce(4, 4), 2, 100*mb, 50*mb)
	for i := range disks.Topology.Hosts {
		disks.Topology.Hosts[i].Disk = 20 * mb
	}
	foreign := linked(mapReduce(4, 4), 1, 100*mb, 50*mb, 50*mb)
	foreign.Topology.Hosts = foreign.Topology.Hosts[:1]
	silent := linked(mapReduce(4, 4), 1, 100*mb, 50*mb, 50*mb)
	silent.Types[0].Gives = 0
	for name, test := range map[string]struct {
		s    Scenario
		want float64
	}{
		"one host: nothing moves":                {linked(mapReduce(2, 2), 1, 100*mb, 50*mb), 10 + 5},
		"one rack: each NIC takes 100 MB":        {linked(mapReduce(4, 4), 2, 100*mb, 50*mb), 10 + 1 + 5},
		"two racks: 100 MB over 50 MB/s":         {linked(mapReduce(4, 4), 1, 1000*mb, 50*mb, 200*mb), 10 + 2 + 5},
		"full duplex: both ways at once":         {linked(mapReduce(4, 4), 1, 1000*mb, 50*mb, 50*mb), 10 + 2 + 5},
		"a host that the topology does not name": {foreign, 10 + 1 + 5},
		"tasks that write nothing":               {silent, 10 + 5},
		// A host's tasks move 400 MB on its disk in each stage, and 100 MB come from the other host.
		"disk": {disks, 20 + 5 + 20},
	} {
		t.Run(name, func(t *testing.T) {
			r := finish(t, test.s)
			j := r.Jobs[0]
			near(t, "the job", j.Ended-j.Started, time.Duration(test.want*1e9), 200*time.Millisecond)
		})
	}
}
