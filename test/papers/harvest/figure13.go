package harvest

import (
	"context"
	"fmt"

	"lull/test/report"
)

// usual is the mix of the paper's ten data centres on average: 40 % of the servers have periodic
// tenants, 35 % constant ones.
var usual = mix{tenants: [3]int{20, 20, 20}, servers: [3]float64{0.25, 0.35, 0.4}}

// What the paper leaves open: how many servers there are, and for how long queries come that are counted. Batch
// work keeps a tenth of all cores busy, and a query takes 20 core-hours on average.
const (
	centreServers = 500
	centreHours   = 2
	centreLoad    = 0.1
	centreJob     = 20 * 3600 // core-seconds
)

var (
	levels   = []float64{0.25, 0.3, 0.35, 0.4, 0.45}
	scalings = []struct {
		name string
		make scaler
		gain float64 // the paper's greatest, of H
	}{{"linear", linear, 0.55}, {"root", root, 0.41}}
)

// figure13 is section 6.3: job times and kills over the primaries' use of a data centre.
func figure13(ctx context.Context, o options) (*report.Report, error) {
	in, err := readInputs(o.files)
	if err != nil {
		return nil, err
	}
	servers, length := o.sized(centreServers, centreHours)
	levels := levels
	if o.quick {
		levels, servers, length = levels[4:], servers/8, length/8
	}
	systems := compared
	var trials []trial
	for _, scaling := range scalings {
		for _, level := range levels {
			p := place{in: &in, mix: usual, scale: scaling.make, level: level, servers: servers, length: length, job: centreJob}
			trials = append(trials, p.trials(systems, &o)...)
		}
	}
	all, err := outcomes(ctx, trials)
	if err != nil {
		return nil, err
	}
	r := &report.Report{Notes: []string{fmt.Sprintf("%d servers, %d seeds.", servers, o.seeds), in.declared(), crowding}}
	for _, scaling := range scalings {
		best := 0.0
		for _, level := range levels {
			var of [][]outcome
			for _, s := range systems {
				of, all = append(of, all[:o.seeds]), all[o.seeds:]
				r.Rows = append(r.Rows, row(report.Row{{Key: "scaling", Value: scaling.name}, {Key: "use", Value: level}, {Key: "system", Value: s.name}}, of[len(of)-1]))
			}
			best = max(best, 1-over(of[1], jobSeconds)/over(of[0], jobSeconds))
			r.Checks = append(r.Checks, centreChecks(fmt.Sprintf("%s, %.0f %%: ", scaling.name, 100*level), of, level == 0.45)...)
		}
		r.Checks = append(r.Checks, report.AtLeast(scaling.name+": H's greatest gain in job time over PT", best, scaling.gain).Unreached())
	}
	return r, nil
}

// centreChecks compares the systems, in the order of figure13, at one level.
func centreChecks(at string, of [][]outcome, busiest bool) (checks []report.Check) {
	time, killed := func(i int) float64 { return over(of[i], jobSeconds) }, func(i int) float64 { return over(of[i], kills) }
	checks = append(checks,
		report.AtMost(at+"H+'s job time over H's", time(2)/time(1), 1),
		report.AtLeast(at+"H+'s part of the way from PT's job time to the oracle's", (time(0)-time(2))/(time(0)-time(3)), 0.5))
	if busiest {
		checks = append(checks,
			report.AtLeast(at+"PT's kills over H's", killed(0)/killed(1), 4).Unreached(),
			report.AtLeast(at+"PT's kills over H+'s", killed(0)/killed(2), 8).Unreached())
	}
	return checks
}
