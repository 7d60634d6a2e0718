package simulated

import (
	"context"
	"fmt"
	"time"

	"lull/sim"
	"lull/test/papers/swim"
	"lull/test/report"
)

// swimFactors are k: a deadline is k times what the job takes alone on idle
// hosts.
var swimFactors = []float64{2, 4}

// swimReplay replays a SWIM trace on hosts with primaries that follow measured series, in several ways
// for each of swimFactors.
type swimReplay struct {
	moves bool // reduces fetch what is shuffled
	ways  []swimWay
	read  measure
}

// swimWay is a way to run the trace. set completes a scenario that has the jobs, and hosts drawn from
// series.
type swimWay struct {
	name string
	set  func(s *sim.Scenario, series []sim.Host) error
}

// run returns the values by k and way, and a report with their rows and a note of what was replayed. The
// book is nil if there is nothing to replay.
func (p *swimReplay) run(ctx context.Context, o options, note string) (*book, *report.Report, error) {
	jobs, hosts, missing := swim.Files(o.Jobs, o.Hosts)
	if missing != "" {
		return nil, &report.Report{Notes: []string{"skipped: " + missing}}, nil
	}
	series, err := swim.Series(hosts)
	if err != nil {
		return nil, nil, err
	}
	var variants []variant
	for _, k := range swimFactors {
		trace, err := swim.Jobs(jobs, k, series, o.Quick, p.moves)
		if err != nil {
			return nil, nil, err
		}
		for _, way := range p.ways {
			variants = append(variants, variant{label("k", k), way.name, func(seed uint64) (sim.Scenario, error) {
				s := sim.Scenario{Seed: seed, Hosts: swim.Draw(series, seed), Jobs: trace.Jobs, Types: trace.Types, Telemetry: 5 * time.Second}
				err := way.set(&s, series)
				return s, err
			}})
		}
	}
	b, err := sweep(ctx, o, variants, p.read)
	if err != nil {
		return nil, nil, err
	}
	what := fmt.Sprintf("jobs: %s; hosts: %d of %v, %d cores each", jobs, swim.Hosts, hosts, swim.Cores)
	return b, &report.Report{Rows: b.rows(), Notes: []string{what + note}}, nil
}
