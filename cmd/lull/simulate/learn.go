package simulate

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"lull/classifier"
	"lull/classifier/classes"
	"lull/classifier/generation"
	"lull/classifier/learn"
	"lull/classifier/series"
	"lull/classifier/study"
	"lull/cmd/lull/importer"
	"lull/sim"
	"lull/sim/trace"
	"lull/slotter"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/profile"
)

// leastLearnt is the shortest time from which a tenant's class can be learnt.
const leastLearnt = 2 * series.Day

// tenants gives hosts their owners.
func (p *Plan) tenants() error {
	p.Scenario.Slotter.Steer, p.Scenario.Slotter.Weights = p.Steer, p.Weights
	if p.Tenants == "" {
		return nil
	}
	of, err := readFile(p.Tenants, func(r io.Reader) (map[string]string, error) { return importer.Tenants(r, p.Tenants) })
	if err != nil {
		return err
	}
	owned := 0
	for i := range p.Scenario.Hosts {
		if p.Scenario.Hosts[i].Tenant = of[p.Pool.IDs[i]]; p.Scenario.Hosts[i].Tenant != "" {
			owned++
		}
	}
	if owned == 0 {
		return fmt.Errorf("%s: it names none of the hosts in %s: its column host holds their series_id", p.Tenants, p.Hosts)
	}
	return nil
}

// learn makes classes from the hosts' usage before the run begins, and from none of the usage in the run.
func (p *Plan) learn() error {
	if p.Steer == "" || p.Steer == slotter.SteerOff {
		return nil
	}
	past, err := p.past()
	if err != nil {
		return err
	}
	from := sim.Begin.Add(-series.Days * series.Day)
	average, err := series.NewAverage(from, series.Step, series.Days*int(series.Day/series.Step))
	if err != nil {
		return err
	}
	builder := generation.New(learn.Options{})
	for _, tenant := range slices.Sorted(maps.Keys(past)) {
		average.Reset(from)
		for _, s := range past[tenant] {
			p.addTo(average, s)
		}
		used := average.Series()
		builder.Add(tenant, used.Between(series.Window(p.start(past[tenant]), used.End())), nil)
	}
	var found study.Found
	found.Generation, found.Names = builder.Finish(classes.State{}, p.Seed)
	p.Scenario.Tenants = classifier.Events(found, sim.Begin, p.Seed)
	of := map[profile.Pattern]int{}
	for i := range found.Tenants {
		of[found.Tenants[i].Profile.Pattern]++
	}
	p.Notes = append(p.Notes, fmt.Sprintf("Learnt from the usage before --from: %s, %d of them periodic, %d constant, %d unpredictable.",
		humane.Count(len(past), "tenant"), of[profile.Periodic], of[profile.Constant], of[profile.Unpredictable]))
	return nil
}

// past reads what the hosts of each tenant used before the run.
func (p *Plan) past() (map[string][]trace.Series, error) {
	if p.Host.From <= 0 {
		return nil, errors.New("--steer learns from what lies before the run: say with --from when the run begins, at least two days after the first sample")
	}
	tenants := map[string]string{}
	for i, id := range p.Pool.IDs {
		tenants[id] = subjects.TenantOf(p.Scenario.Hosts[i].Tenant, p.Scenario.Hosts[i].Name)
	}
	o := p.Host
	o.From, o.Until = 0, p.Host.From
	all := map[string][]trace.Series{}
	seen, err := readFile(p.Hosts, func(r io.Reader) (*trace.Pool, error) {
		return trace.Usage(r, p.Hosts, o, func(s trace.Series) {
			if tenant := tenants[s.ID]; tenant != "" {
				s.Percent = slices.Clone(s.Percent)
				all[tenant] = append(all[tenant], s)
			}
		})
	})
	if err != nil {
		return nil, err
	}
	if known := p.Pool.Begin - seen.Begin; known < leastLearnt {
		return nil, fmt.Errorf("%s has %s before --from: --steer needs two days of it, better four weeks", p.Hosts, humane.Span(known))
	}
	return all, nil
}

// start is when the first of a tenant's series begins.
func (p *Plan) start(all []trace.Series) time.Time {
	first := sim.Begin
	for _, s := range all {
		if at := p.at(s.Begin); at.Before(first) {
			first = at
		}
	}
	return first
}

// at returns the simulated pool's time for a time of the files.
func (p *Plan) at(clock time.Duration) time.Time { return sim.Begin.Add(clock - p.Pool.Begin) }

// addTo adds what a host used before the run.
func (p *Plan) addTo(average *series.Average, s trace.Series) {
	for i, percent := range s.Percent {
		at := s.Begin + time.Duration(i)*s.Every
		if at+s.Every <= p.Pool.Begin {
			average.Add(p.at(at), s.Every, percent/100, -1)
		}
	}
}
