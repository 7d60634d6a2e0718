package simulate

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"lull/client"
	"lull/placer/topology"
	"lull/sim"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/spec"
)

// placed ends the name of a run in which a placer chooses the hosts of jobs that move data.
const placed = " placed"

// network reads the topology, and puts the hosts into its racks. A host with a NIC in the topology goes to
// the rack that lists it; the others fill the racks in equal blocks, in the order of their file.
func (p *Plan) network() error {
	if p.Topology == "" {
		return nil
	}
	net, err := readFile(p.Topology, func(r io.Reader) (*spec.Network, error) {
		doc, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		return spec.ParseNetwork(doc)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", p.Topology, err)
	}
	tree := links(net)
	nics, at := map[string]spec.Link{}, map[string]int{}
	for r := range net.Racks {
		for _, nic := range net.Racks[r].NICs {
			nics[nic.Name], at[nic.Name] = nic, r
		}
	}
	for i := range p.Pool.Hosts {
		h := &p.Pool.Hosts[i]
		rack, named := at[h.Name]
		if !named {
			rack = i * len(net.Racks) / len(p.Pool.Hosts)
		}
		nic := nics[h.Name]
		tree.Hosts = append(tree.Hosts, topology.Host{Name: h.Name, Rack: rack, Out: cmp.Or(nic.Up, subjects.DefaultNIC), In: cmp.Or(nic.Down, subjects.DefaultNIC)})
		h.Labels = append(h.Labels, "rack="+net.Racks[rack].Name)
	}
	p.Scenario.Topology, p.Scenario.Network = tree, client.Wired(net)
	p.Notes = append(p.Notes, fmt.Sprintf("%s: %s, hosts in the order of their file where it names none. Outputs of earlier stages move over these links; rows that end in%s have a placer.",
		p.Topology, humane.Count(len(net.Racks), "rack"), placed))
	if !moving(p.List.Jobs) {
		p.Notes = append(p.Notes, "No job moves data between its stages, so nothing is placed: a SWIM trace says what its jobs shuffle.")
	}
	return nil
}

// links is the network without hosts.
func links(net *spec.Network) *topology.Tree {
	tree, above := &topology.Tree{}, map[string]int{}
	for i, s := range net.Switches {
		tree.Aggregations = append(tree.Aggregations, topology.Aggregation{Name: s.Name, Up: s.Up, Down: s.Down})
		above[s.Name] = i + 1
	}
	for _, r := range net.Racks {
		tree.Racks = append(tree.Racks, topology.Rack{Name: r.Name, Up: r.Up, Down: r.Down, Above: above[r.Above]})
	}
	return tree
}

// moving reports whether any job moves data.
func moving(jobs []sim.Job) bool {
	for i := range jobs {
		if jobs[i].Spec.Moves() {
			return true
		}
	}
	return false
}

// variants are the policies of the runs: with a network each of them also runs with a placer.
func variants(o *Options) (names []string) {
	for _, policy := range o.Policies {
		if names = append(names, policy); o.Topology != "" {
			names = append(names, policy+placed)
		}
	}
	return names
}

// as has the scenario run under a policy.
func as(s sim.Scenario, policy string) sim.Scenario {
	name, with := strings.CutSuffix(policy, placed)
	if s.Slotter.Policy = name; with {
		s.Placers = 1
	} else {
		s.Network = nil
	}
	return s
}

// Moved says how long jobs that move data took, with a placer and without; nothing without a topology.
func Moved(p *Plan, rows []Row) (lines []string) {
	if p.Topology == "" {
		return nil
	}
	for i := range rows {
		if rows[i].Moving > 0 {
			lines = append(lines, fmt.Sprintf("%s: jobs that move data took %s on average from their first task to their end.", rows[i].Policy, humane.Seconds(rows[i].Moving)))
		}
	}
	return lines
}

// meanMoving is the mean time of the finished jobs that move data, from their first task on, in seconds.
func meanMoving(s *sim.Scenario, r *sim.Result) float64 {
	sum, n := 0.0, 0
	for i := range r.Jobs {
		if j := &r.Jobs[i]; s.Jobs[i].Spec.Moves() && j.State == stateFinished && j.Started > 0 {
			sum, n = sum+(j.Ended-j.Started).Seconds(), n+1
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
