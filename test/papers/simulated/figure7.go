package simulated

import (
	"context"
	"fmt"
	"math"
	"time"

	"lull/admission"
	"lull/sim"
	"lull/slotter"
	"lull/subjects"
	"lull/test/papers/truth"
	"lull/test/papers/workload"
	"lull/test/report"
	"lull/test/stat"
)

// figure7Step is the time between two looks at the predictions.
const figure7Step = 20 * time.Second

// figure7 follows the predicted finish of a pi job, due in 700 s, while a sort job that comes after
// 80 s takes slots from it and gives them back.
func figure7(ctx context.Context, o options) (*report.Report, error) {
	policies := o.among("mp", "mp+")
	var variants []variant
	for _, p := range policies {
		variants = append(variants, variant{nil, p, func(seed uint64) (sim.Scenario, error) { return figure7Study(p, seed) }})
	}
	b, err := sweep(ctx, o, variants, func(s *sim.Scenario, r *sim.Result) ([]value, error) {
		return []value{
			{"error of predicted progress, share", progressError(s, r, 0)}, {"pi ended at_s", r.Jobs[0].Ended.Seconds()},
			{"sort ended at_s", r.Jobs[1].Ended.Seconds()}, {"missed", outcomeOf(s, r).missed},
		}, nil
	})
	if err != nil {
		return nil, err
	}
	r := &report.Report{Rows: b.rows(), Notes: []string{
		"Predicted progress: the tasks that equation 3 has the job's slots complete in a minute, beside those that came; the error is the mean distance over the mean.",
	}}
	for _, p := range policies {
		r.Checks = append(r.Checks, report.AtMost(p+": error of predicted progress, share", b.boards[0].mean(p, "error of predicted progress, share").Mean, 0.15))
	}
	return r, figure7Series(ctx, o, r, policies[len(policies)-1])
}

// figure7Study has 30 slots of four kinds, on which the pi job alone takes
// about 370 s, as in the paper.
func figure7Study(policy string, seed uint64) (sim.Scenario, error) {
	types := truth.Declared()
	models, err := truth.Train(types, workload.Random(seed, "training"))
	hosts := []workload.Class{{Name: "dedicated", Hosts: 5, Cores: 2}, {Name: "light", Hosts: 5, Cores: 2, Low: 0.20, High: 0.35}, {Name: "medium", Hosts: 5, Cores: 2, Low: 0.85, High: 0.95}}
	return sim.Scenario{
		Seed:  seed,
		Hosts: workload.Hosts(hosts, workload.Random(seed, "loads")),
		Jobs: []sim.Job{
			workload.Stream{Type: "pi", Tasks: 730, Deadline: 700 * time.Second}.Submit(0),
			workload.Stream{Type: "sort", Tasks: 220, Deadline: 270 * time.Second}.Submit(80 * time.Second),
		},
		Types: types, Models: models,
		Admission: admission.Config{Mode: subjects.ModeAll}, Slotter: slotter.Config{Policy: policy},
	}, err
}

// progressError compares minute by minute what a job's slots were predicted to complete with what
// they completed. A prediction of the end itself would not do: every slot that comes or goes moves
// it, even if the prediction for the slots is right.
func progressError(s *sim.Scenario, r *sim.Result, job int) float64 {
	var off, done []float64
	end := r.Jobs[job].Ended
	for at := figure7Step; at+time.Minute < end; at += time.Minute {
		predicted := 0.0
		for t := at; t < at+time.Minute; t += figure7Step {
			predicted += momentOf(s, r, job, t).rate * figure7Step.Seconds()
		}
		came := float64(momentOf(s, r, job, at).left - momentOf(s, r, job, at+time.Minute).left)
		off, done = append(off, math.Abs(predicted-came)), append(done, came)
	}
	return stat.Mean(off).Mean / stat.Mean(done).Mean
}

// figure7Series prints one seed's predictions over time.
func figure7Series(ctx context.Context, o options, r *report.Report, policy string) error {
	s, err := figure7Study(policy, o.Seed)
	if err != nil {
		return err
	}
	result, err := sim.Run(ctx, s)
	if err != nil {
		return err
	}
	plot := newPlot(fmt.Sprintf("%s, seed %d: predicted end of pi (p) and sort (s) in s, over time in s; slots of pi (.)", policy, o.Seed), result.End.Seconds(), 800)
	for at := figure7Step; at < result.End; at += figure7Step {
		for job, mark := range []byte{'p', 's'} {
			m := momentOf(&s, result, job, at)
			if job == 0 {
				plot.put(at.Seconds(), 10*float64(m.slots), '.')
			}
			if m.slots > 0 {
				plot.put(at.Seconds(), m.finish(), mark)
			}
		}
	}
	r.Notes = append(r.Notes, plot.String()+"(slots × 10)")
	return nil
}
