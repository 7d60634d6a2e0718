package harvest

import (
	"context"
	"fmt"
	"time"

	"lull/test/report"
)

// grown is a data centre in multiples of the usual one: of its servers, and of the times of its tasks.
type grown struct {
	servers float64
	longer  int
}

// growths begin with a smaller centre, then come larger ones, and then longer tasks. The paper's data
// centres have thousands of servers; how long its tasks take is not public.
var growths = []grown{{0.2, 1}, {1, 1}, {4, 1}, {1, 4}, {1, 16}}

// The usual centre of growths.
const (
	growthServers = 1000
	growthHours   = 2
	growthLevel   = 0.45 // of the levels of figure 13
)

// growth shows what history gains with more servers, and with longer tasks. In a small centre the widest
// queries need more than any class of tenants has, so they run anywhere. Long tasks meet more bursts.
// The load is the same everywhere: a run with longer tasks is as many times as long, and has as many jobs.
func growth(ctx context.Context, o options) (*report.Report, error) {
	in, err := readInputs(o.files)
	if err != nil {
		return nil, err
	}
	servers, length := o.sized(growthServers, growthHours)
	growths := growths
	if o.quick {
		servers, length, growths = min(servers, 100), time.Hour, growths[:2]
	}
	var trials []trial
	for _, g := range growths {
		p := place{
			in: &in, mix: usual, scale: linear, level: growthLevel, servers: g.of(servers),
			length: length * time.Duration(g.longer), job: centreJob * float64(g.longer),
		}
		trials = append(trials, p.trials(compared, &o)...)
	}
	all, err := outcomes(ctx, trials)
	if err != nil {
		return nil, err
	}
	note := fmt.Sprintf("%.0f %% of use (linear), %d seeds; gain in job time over PT.", 100*growthLevel, o.seeds)
	r := &report.Report{Notes: []string{note, in.declared(), crowding}}
	for _, g := range growths {
		of := make([][]outcome, len(compared))
		for i := range compared {
			of[i], all = all[:o.seeds], all[o.seeds:]
		}
		g.report(r, g.of(servers), of)
	}
	return r, nil
}

// of is how many servers the centre has, if the usual one has so many.
func (g grown) of(servers int) int { return int(g.servers * float64(servers)) }

// report adds a row for each of the compared systems.
func (g grown) report(r *report.Report, servers int, of [][]outcome) {
	gained := newGains()
	gained.add(of)
	for i, s := range compared {
		_, gain, _ := gained.span(i)
		cells := report.Row{
			{Key: "servers", Value: servers}, {Key: "times_longer", Value: g.longer},
			{Key: "system", Value: s.name}, {Key: "gain", Value: gain},
		}
		r.Rows = append(r.Rows, row(cells, of[i]))
	}
	_, plus, _ := gained.span(2)
	at := fmt.Sprintf("%d servers, tasks %d times as long: ", servers, g.longer)
	r.Checks = append(r.Checks, report.AtLeast(at+"H+'s gain over PT", plus, 0))
}
