package simulated

import (
	"context"
	"fmt"
	"time"

	"lull/admission"
	"lull/classifier"
	"lull/classifier/classes"
	"lull/classifier/generation"
	"lull/classifier/learn"
	"lull/classifier/series"
	"lull/classifier/study"
	"lull/sim"
	"lull/slotter"
	"lull/subjects"
	"lull/test/papers/swim"
	"lull/test/papers/workload"
	"lull/test/report"
)

// steeredRest is how many days of a series must follow the moment at which a run begins. The trace of jobs
// is of one day.
const steeredRest = 2

// swimSteered replays the trace of swim with and without steering, on hosts whose tenants were learnt
// from the days before.
func swimSteered(ctx context.Context, o options) (*report.Report, error) {
	steers := []string{slotter.SteerOff, slotter.SteerProfile, slotter.SteerPaper}
	replay := swimReplay{read: swimShares}
	for _, steer := range steers {
		replay.ways = append(replay.ways, swimWay{steer, func(s *sim.Scenario, series []sim.Host) (err error) {
			s.Admission, s.Slotter = admission.Config{Mode: subjects.ModeAffected}, slotter.Config{Steer: steer}
			s.Hosts, s.Tenants, err = learntHosts(series, s.Seed)
			return err
		}})
	}
	b, r, err := replay.run(ctx, o, ". Each series begins on a day of its own, and classes are learnt from the days before that.")
	if b == nil {
		return r, err
	}
	for _, page := range b.boards {
		for _, steer := range steers {
			admitted := 1 - page.mean(steer, "rejected_share").Mean
			r.Checks = append(r.Checks, report.AtLeast(fmt.Sprintf("k = %v, --steer %s: admitted jobs in time, %%", page.labels[0].Value, steer),
				100*(1-page.mean(steer, "missed_share").Mean/admitted), 99))
		}
	}
	return r, nil
}

// swimShares returns the shares of late and of rejected jobs, and what was harvested of idle cores.
func swimShares(s *sim.Scenario, r *sim.Result) ([]value, error) {
	o := outcomeOf(s, r)
	all := float64(len(r.Jobs))
	return []value{{"missed_share", o.missed / all}, {"rejected_share", o.rejected / all}, {"harvested_core_hours", r.Harvested / 3600}}, nil
}

// learntHosts returns hosts with series drawn by the seed, each begun on a day of its own, and what a
// classifier makes of the days before.
func learntHosts(loads []sim.Host, seed uint64) ([]sim.Host, []subjects.Event, error) {
	rng := workload.Random(seed, "hosts")
	builder := generation.New(learn.Options{})
	hosts := make([]sim.Host, swim.Hosts)
	for i := range hosts {
		h := loads[rng.IntN(len(loads))]
		load := h.Load.(sim.Series)
		perDay := int(24 * time.Hour / load.Every)
		days := len(load.Cores) / perDay
		day := 2 + rng.IntN(max(days-2-steeredRest, 1))
		past, err := pastOf(load.Cores[:min(day, days)*perDay], load.Every, float64(h.Cores))
		if err != nil {
			return nil, nil, err
		}
		h.Name = fmt.Sprintf("h%02d", i+1)
		h.Tenant = "tenant-" + h.Name
		h.Load = swim.Rotate(load, day)
		hosts[i] = h
		builder.Add(h.Tenant, past, nil)
	}
	var found study.Found
	found.Generation, found.Names = builder.Finish(classes.State{}, seed)
	return hosts, classifier.Events(found, sim.Begin, seed), nil
}

// pastOf is a host's usage until the run begins, in the last whole days that a classifier looks at.
func pastOf(used []float64, every time.Duration, cores float64) (*series.Series, error) {
	length := time.Duration(len(used)) * every
	average, err := series.NewAverage(sim.Begin.Add(-length), series.Step, int(length/series.Step))
	if err != nil {
		return nil, err
	}
	for i, u := range used {
		average.Add(sim.Begin.Add(time.Duration(i)*every-length), every, float32(u/cores), -1)
	}
	s := average.Series()
	return s.Between(series.Window(s.Start, s.End())), nil
}
