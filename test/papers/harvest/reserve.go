package harvest

import (
	"context"
	"fmt"
	"time"

	"lull/test/report"
	"lull/test/tables"
)

// reserveServers are fewer than in figure 13, since what a reserve does to a server's tasks does not depend on them.
const reserveServers = 200

// reserves shows what each core of a reserve costs jobs and spares primaries, on machines whose usage is a mean of
// five minutes, and on a web site whose requests are counted each minute.
func reserves(ctx context.Context, o options) (*report.Report, error) {
	in, err := readInputs(o.files)
	if err != nil {
		return nil, err
	}
	web := in
	if web.tenants, err = readWeb(); err != nil {
		return nil, err
	}
	servers, length := o.sized(reserveServers, 3)
	kept := []uint32{0, 1, 2, 3, 4}
	if o.quick {
		servers, length, kept = min(servers, 50), time.Hour, tables.Some(true, kept, 0, 4)
	}
	sources := []struct {
		name string
		in   *inputs
		mix  mix
	}{{"five minutes", &in, usual}, {"one minute", &web, mix{[3]int{0, 0, 20}, [3]float64{0, 0, 1}}}}
	systems := func(cores uint32) []system {
		bare, steered := primaryAware, profiled
		bare.reserve, steered.reserve = cores, cores
		return []system{bare, steered}
	}
	var trials []trial
	for _, source := range sources {
		for _, n := range kept {
			p := place{in: source.in, mix: source.mix, scale: linear, level: 0.35, servers: servers, length: length, job: centreJob, name: source.name, rest: 2 * length}
			trials = append(trials, p.trials(systems(n), &o)...)
		}
	}
	all, err := outcomes(ctx, trials)
	if err != nil {
		return nil, err
	}
	r := &report.Report{Notes: []string{
		fmt.Sprintf("%d servers at 35 %% of use (linear), %d seeds.", servers, o.seeds), in.declared(), crowding,
		"A reserve of 0: no task is killed. Tasks beyond the cores that primaries leave are slowed, or stand still, as in the kernel's idle class. Runs end two lengths after the last job came. broken counts what a reserve of 4 would lack.",
	}}
	for _, source := range sources {
		var first, last [2]outcome
		for _, n := range kept {
			for i, s := range systems(n) {
				r.Rows = append(r.Rows, row(report.Row{{Key: "usage", Value: source.name}, {Key: "reserve", Value: int(n)}, {Key: "system", Value: s.name}}, all[:o.seeds]))
				if last[i] = *mean1(all[:o.seeds]); n == 0 {
					first[i] = last[i]
				}
				all = all[o.seeds:]
			}
		}
		r.Checks = append(r.Checks,
			report.AtMost(source.name+": server-seconds a day that are crowded with 4 cores kept, of those with none", last[0].crowded/max(first[0].crowded, 1), 0.1),
			report.AtMost(source.name+": the same with H+", last[1].crowded/max(first[1].crowded, 1), 0.1))
	}
	return r, nil
}

// mean1 is the outcome with the mean of what the checks look at.
func mean1(all []outcome) *outcome {
	return &outcome{crowded: over(all, func(o *outcome) float64 { return o.crowded })}
}
