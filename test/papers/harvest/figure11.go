package harvest

import (
	"context"
	"fmt"
	"time"

	"lull/sim"
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
	tenants, err := readTenants()
	if err != nil {
		return nil, err
	}
	queries, err := readQueries()
	if err != nil {
		return nil, err
	}
	ratio, err := readRatio()
	if err != nil {
		return nil, err
	}
	servers, hours := o.servers, o.hours
	if servers == 0 {
		servers = testbedServers
	}
	if hours == 0 {
		hours = testbedHours
	}
	load := (testbedBusy - testbedUse) * float64(servers) * cores
	length := time.Duration(hours * float64(time.Hour))
	systems := []system{primaryAware, history, profiled, oracle, lull, lullProfiled}
	var trials []trial
	for _, s := range systems {
		for seed := o.seed; seed < o.seed+uint64(o.seeds); seed++ {
			begin := lead(chance(seed, "lead"))
			trials = append(trials, trial{s, seed, begin + length, func() (sim.Scenario, error) {
				c, at := newCentre(tenants, testbed, servers, testbedUse, linear, chance(seed, "centre")), from(chance(seed, "from"))
				jobs := arrivals(queries, ratio, load, testbedGap, begin, begin+2*length, chance(seed, "jobs"))
				return s.scenario(seed, c, at, jobs, c.classes(at, seed)), nil
			}})
		}
	}
	all, err := outcomes(ctx, trials)
	if err != nil {
		return nil, err
	}
	r := &report.Report{Notes: []string{
		fmt.Sprintf("%d seeds: each draws tenants, the time of the month, and the order and times of queries. Classes are learnt from July, jobs run in August.", o.seeds),
		"crowded: primary and batch want more cores than the server has; usage of five minutes hides shorter bursts. broken: the reserve of 4 cores is not whole.",
	}}
	of := func(i int) []outcome { return all[i*o.seeds : (i+1)*o.seeds] }
	for i, s := range systems {
		r.Rows = append(r.Rows, row(report.Row{{Key: "system", Value: s.name}}, of(i)))
	}
	pt, h := over(of(0), jobSeconds), over(of(1), jobSeconds)
	r.Checks = append(r.Checks, report.AtLeast("H's job time below PT's, a share of it", 1-h/pt, 0.2).Beside(1-938./1181))
	return r, nil
}
