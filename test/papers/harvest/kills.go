package harvest

import (
	"context"
	"fmt"

	"lull/sim"
	"lull/subjects"
	"lull/subjects/profile"
	"lull/test/report"
)

// ground is where an attempt ran: on a server whose tenant has this pattern, for a job that was steered to
// classes or not.
type ground struct {
	pattern profile.Pattern
	steered bool
}

// exposure is how long tasks ran on a ground, and how many were killed there.
type exposure struct{ hours, kills float64 }

func (e *exposure) add(other exposure) { e.hours, e.kills = e.hours+other.hours, e.kills+other.kills }

// rate is how many tasks are killed in an hour of one core.
func (e exposure) rate() float64 { return e.kills / max(e.hours, 1e-9) }

// expose sums up where a run's attempts were. The steered jobs are those that got classes.
func (o *outcome) expose(s *sim.Scenario, r *sim.Result, steered map[string]bool) {
	patterns, of := map[string]profile.Pattern{}, map[string]profile.Pattern{}
	for _, e := range s.Tenants {
		if e, ok := e.(*subjects.Classified); ok {
			patterns[e.Tenant] = e.Profile.Pattern
		}
	}
	for i := range s.Hosts {
		of[s.Hosts[i].Name] = patterns[s.Hosts[i].Tenant]
	}
	o.grounds = map[ground]exposure{}
	for _, run := range r.Runs {
		at := ground{of[run.Host], steered[run.Job]}
		e := o.grounds[at]
		e.hours += (run.End - run.Start).Hours()
		if run.Outcome == "evicted" {
			e.kills++
		}
		o.grounds[at] = e
	}
}

// exposed sums up the grounds of outcomes that pass.
func exposed(all []outcome, pass func(ground) bool) (sum exposure) {
	for i := range all {
		for at, e := range all[i].grounds {
			if pass(at) {
				sum.add(e)
			}
		}
	}
	return sum
}

// killsLevel is the highest use of figure 13, whose data centre this is.
const killsLevel = 0.45

// killed shows on which servers tasks are killed. What a choice by patterns can save of PT's kills follows:
// at best all tasks are killed as rarely as on the pattern with the fewest kills an hour.
func killed(ctx context.Context, o options) (*report.Report, error) {
	in, err := readInputs(o.files)
	if err != nil {
		return nil, err
	}
	servers, length := o.sized(centreServers, centreHours)
	if o.quick {
		servers, length = servers/5, length/2
	}
	systems := []system{primaryAware, history, profiled}
	var trials []trial
	for _, scaling := range scalings {
		p := place{in: &in, mix: usual, scale: scaling.make, level: killsLevel, servers: servers, length: length, job: centreJob}
		trials = append(trials, p.trials(systems, &o)...)
	}
	all, err := outcomes(ctx, trials)
	if err != nil {
		return nil, err
	}
	r := &report.Report{Notes: []string{fmt.Sprintf("%d servers at %.0f %% of use, %d seeds.", servers, 100*killsLevel, o.seeds), in.declared()}}
	for _, scaling := range scalings {
		for _, s := range systems {
			r.Rows = append(r.Rows, killRows(scaling.name, s, all[:o.seeds])...)
			if s.name == primaryAware.name {
				r.Notes = append(r.Notes, fmt.Sprintf("%s: by patterns alone, PT's kills could become %.2f times fewer at best.", scaling.name, bestByPattern(all[:o.seeds])))
			}
			all = all[o.seeds:]
		}
	}
	return r, nil
}

// killRows has a row for each pattern, and where jobs are steered for those that are and those that are not.
func killRows(scaling string, s system, all []outcome) (rows []report.Row) {
	total := exposed(all, func(ground) bool { return true })
	add := func(on, jobs string, e exposure) {
		rows = append(rows, report.Row{
			{Key: "scaling", Value: scaling}, {Key: "system", Value: s.name}, {Key: "servers", Value: on}, {Key: "jobs", Value: jobs},
			{Key: "of_all_core_h", Value: e.hours / total.hours}, {Key: "kills", Value: e.kills}, {Key: "kills_per_core_h", Value: e.rate()},
		})
	}
	add("all", "all", total)
	for _, pattern := range profile.Patterns() {
		add(pattern.String(), "all", exposed(all, func(at ground) bool { return at.pattern == pattern }))
	}
	if s.steer != history.steer {
		return rows
	}
	add("all", "steered", exposed(all, func(at ground) bool { return at.steered }))
	add("all", "to no class", exposed(all, func(at ground) bool { return !at.steered }))
	return rows
}

// bestByPattern is the rate of all kills over that of the pattern on whose servers the fewest come.
func bestByPattern(all []outcome) float64 {
	whole := exposed(all, func(ground) bool { return true }).rate()
	least := whole
	for _, pattern := range profile.Patterns() {
		if e := exposed(all, func(at ground) bool { return at.pattern == pattern }); e.hours > 0 {
			least = min(least, e.rate())
		}
	}
	return whole / max(least, 1e-9)
}
