package harvest

import (
	"context"
	"fmt"
	"time"

	"lull/sim"
	"lull/test/papers/workload"
	"lull/test/report"
)

// testbed is the mix of the paper's 102 servers: 5 unpredictable, 3 constant and 13 periodic
// tenants. The paper does not say how many servers each has: they have equally many.
var testbed = mix{tenants: [3]int{5, 3, 13}, servers: [3]float64{5. / 21, 3. / 21, 13. / 21}}

// The paper's testbed: the primaries use 33 %, batch work takes that to 54 %, and a query comes
// each 300 s on average.
const (
	testbedServers = 102
	testbedUse     = 0.33
	testbedBusy    = 0.54
	testbedHours   = 5
	testbedGap     = 300 * time.Second
)

// figure11 is section 6.2: batch jobs on the testbed.
func figure11(ctx context.Context, o options) (*report.Report, error) {
	in, err := readInputs(o.files)
	if err != nil {
		return nil, err
	}
	servers, length := o.sized(testbedServers, testbedHours)
	if o.quick {
		length /= 4
	}
	systems := []system{primaryAware, history, profiled, oracle, lull, lullProfiled, stock}
	var trials []trial
	for _, s := range systems {
		for _, seed := range o.all() {
			begin := lead(workload.Random(seed, "lead"))
			trials = append(trials, trial{s, seed, begin + length, func() sim.Scenario {
				c := newCentre(in.tenants, testbed, servers, testbedUse, linear, workload.Random(seed, "centre"))
				busy := (testbedBusy - testbedUse) * float64(servers*cores)
				jobs := in.arrivals(busy, testbedGap, begin, begin+2*length, workload.Random(seed, "jobs"))
				return s.scenario(seed, c, from(workload.Random(seed, "from")), jobs)
			}})
		}
	}
	all, err := outcomes(ctx, trials)
	if err != nil {
		return nil, err
	}
	r := &report.Report{Notes: []string{
		fmt.Sprintf("Seeds: %d. Each draws tenants, a week of the month, an hour, and the order and times of queries. Classes are learnt from the four weeks before.", o.seeds),
		fmt.Sprintf("Queries come for %v, which teach lengths and are not counted, and for as long again.", length),
		in.declared(),
		crowding,
	}}
	of := func(i int) []outcome { return all[i*o.seeds : (i+1)*o.seeds] }
	for i, s := range systems {
		r.Rows = append(r.Rows, row(report.Row{{Key: "system", Value: s.name}}, of(i)))
	}
	time := func(i int) float64 { return over(of(i), jobSeconds) }
	r.Checks = append(r.Checks,
		report.AtLeast("H: job time below PT's, a share of that", 1-time(1)/time(0), 0.2).WithPaper(1-938./1181).Unreached(),
		report.AtLeast("H+: job time below PT's, a share of that", 1-time(2)/time(0), 0.02),
		report.AtMost("oracle: job time below PT's, a share of that", 1-time(3)/time(0), 0.2),
		report.AtLeast("lull: job time with profile below that without, a share of that", 1-time(5)/time(4), 0),
	)
	return r, nil
}

// crowding explains columns.
const crowding = "crowded: primary and batch want more cores than the server has; usage of five minutes hides shorter bursts. broken: a reserve of 4 cores would not be whole."
