package simulated

import (
	"context"
	"fmt"

	"lull/admission"
	"lull/placer/topology"
	"lull/sim"
	"lull/slotter"
	"lull/subjects"
	"lull/test/report"
	"lull/test/stat"
)

// swimUplinks are the uplinks of the racks that swimPlacing divides the hosts into, in Mbit/s each way. NICs have subjects.DefaultNIC.
var swimUplinks = []float64{1000, 500, 250, 250}

// swimPlacing replays the trace of swim over links, with and without a placer. A placed job waits for the placer's
// choice and then for its hosts. On the whole that must not make jobs slower.
func swimPlacing(ctx context.Context, o options) (*report.Report, error) {
	replay := swimReplay{moves: true, read: swimTime}
	for placers, name := range []string{"without", "with a placer"} {
		replay.ways = append(replay.ways, swimWay{name, func(s *sim.Scenario, _ []sim.Host) error {
			s.Admission, s.Slotter, s.Placers = admission.Config{Mode: subjects.ModeAll}, slotter.Config{Policy: "mp+"}, placers
			wire(s)
			return nil
		}})
	}
	b, r, err := replay.run(ctx, o, fmt.Sprintf(", in racks with uplinks of %v Mbit/s. Reduces fetch what is shuffled.", swimUplinks))
	if b == nil {
		return r, err
	}
	for _, page := range b.boards {
		for _, metric := range []string{"late_share", "mean_job_s"} {
			paired := stat.Ratio(page.of("with a placer", metric), page.of("without", metric))
			r.Rows = append(r.Rows, page.row("with a placer / without", metric+" − 1", paired))
			with, without := page.mean("with a placer", metric).Mean, page.mean("without", metric).Mean
			r.Checks = append(r.Checks, report.AtMost(fmt.Sprintf("k = %v, %s: with a placer over without, %%", page.labels[0].Value, metric), 100*with/without, 101))
		}
	}
	return r, nil
}

// swimTime is how long jobs took.
func swimTime(s *sim.Scenario, r *sim.Result) ([]value, error) {
	took, n := 0.0, 0.0
	for i := range r.Jobs {
		if j := &r.Jobs[i]; j.State == "finished" {
			took, n = took+(j.Ended-j.Submitted).Seconds(), n+1
		}
	}
	return []value{{"late_share", outcomeOf(s, r).missed / float64(len(r.Jobs))}, {"mean_job_s", took / n}, {"finished_jobs", n}}, nil
}

// wire divides the hosts into racks.
func wire(s *sim.Scenario) {
	const megabit = 1e6 / 8
	s.Topology, s.Network = &topology.Tree{}, &subjects.Wired{}
	for i, rate := range swimUplinks {
		name := fmt.Sprintf("r%d", i+1)
		s.Topology.Racks = append(s.Topology.Racks, topology.Rack{Name: name, Up: rate * megabit, Down: rate * megabit})
		s.Network.Racks = append(s.Network.Racks, subjects.WiredRack{WiredLink: subjects.WiredLink{Name: name, Up: rate * megabit, Down: rate * megabit}})
	}
	for i := range s.Hosts {
		h, rack := &s.Hosts[i], i*len(swimUplinks)/len(s.Hosts)
		h.Labels = append(h.Labels, "rack="+s.Topology.Racks[rack].Name)
		s.Topology.Hosts = append(s.Topology.Hosts, topology.Host{Name: h.Name, Rack: rack, Out: subjects.DefaultNIC, In: subjects.DefaultNIC})
	}
}
