package simulate

import (
	"fmt"

	"lull/sim"
	"lull/sim/webpage"
)

// heat fills in the strips: as many hosts share one as it takes to see them
// all at once.
func (p *plots) heat(s *sim.Scenario, r *sim.Result) {
	each := (len(s.Hosts) + heatRows - 1) / heatRows
	rows := (len(s.Hosts) + each - 1) / each
	primary, batch, cores := p.rows(rows), p.rows(rows), make([]float64, rows)
	row := make(map[string]int, len(s.Hosts))
	for i := range s.Hosts {
		h := &s.Hosts[i]
		row[h.Name] = i / each
		cores[i/each] += float64(h.Cores)
		plotHost(h, p.span, primary[i/each])
	}
	for i := range r.Runs {
		run := &r.Runs[i]
		batch[row[run.Host]].add(run.Start, run.End, run.CPU)
	}
	for i := range rows {
		first, last := s.Hosts[i*each].Name, s.Hosts[min((i+1)*each, len(s.Hosts))-1].Name
		name := first
		if first != last {
			name = fmt.Sprintf("%s … %s", first, last)
		}
		p.primaries = append(p.primaries, webpage.Strip{Name: name, Shares: shares(primary[i], cores[i])})
		p.hosts = append(p.hosts, webpage.Strip{Name: name, Shares: shares(batch[i], cores[i])})
	}
}

func (p *plots) rows(n int) []*histogram {
	list := make([]*histogram, n)
	for i := range list {
		list[i] = newHistogram(p.span, heatSteps)
	}
	return list
}

func shares(h *histogram, cores float64) []float64 {
	list := h.means()
	for i := range list {
		list[i] /= cores
	}
	return list
}
