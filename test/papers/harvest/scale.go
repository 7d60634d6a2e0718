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

// growths begin with a smaller centre of the usual tasks, then come larger ones and longer tasks. The public traces say
// nothing of the paper's times of tasks, and its data centres have thousands of servers.
var growths = []grown{{0.2, 1}, {1, 1}, {4, 1}, {1, 4}, {1, 16}}

// The usual centre of growths.
const (
	scaleServers = 1000
	scaleHours   = 2
)

// scale shows how history gains with the number of servers, and with the length of tasks. In a small centre the widest
// queries need more than any class of tenants has, so they run anywhere. Long tasks meet more bursts. The load of the servers is
// the same, and a run with longer tasks takes as many times as long, so that it has as many jobs.
func scale(ctx context.Context, o options) (*report.Report, error) {
	in, err := readInputs(o.files)
	if err != nil {
		return nil, err
	}
	servers, length := o.sized(scaleServers, scaleHours)
	growths := growths
	if o.quick {
		servers, length, growths = min(servers, 100), time.Hour, growths[:2]
	}
	var trials []trial
	for _, g := range growths {
		p := place{
			in: &in, mix: usual, scale: linear, level: 0.45,
			servers: int(g.servers * float64(servers)), length: length * time.Duration(g.longer), job: centreJob * float64(g.longer),
		}
		trials = append(trials, p.trials(compared, &o)...)
	}
	all, err := outcomes(ctx, trials)
	if err != nil {
		return nil, err
	}
	r := &report.Report{Notes: []string{fmt.Sprintf("45 %% of use (linear), %d seeds; gain in job time over PT.", o.seeds), in.declared(), crowding}}
	for _, g := range growths {
		of := make([][]outcome, len(compared))
		for i := range compared {
			of[i], all = all[:o.seeds], all[o.seeds:]
		}
		gained := newGains()
		gained.add(of)
		size := int(g.servers * float64(servers))
		for i, s := range compared {
			_, gain, _ := gained.span(i)
			cells := report.Row{{Key: "servers", Value: size}, {Key: "times_longer", Value: g.longer}, {Key: "system", Value: s.name}, {Key: "gain", Value: gain}}
			r.Rows = append(r.Rows, row(cells, of[i]))
		}
		_, plus, _ := gained.span(2)
		r.Checks = append(r.Checks, report.AtLeast(fmt.Sprintf("%d servers, tasks %d times as long: H+'s gain over PT", size, g.longer), plus, 0))
	}
	return r, nil
}
