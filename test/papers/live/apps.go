package live

import (
	"context"
	"errors"
	"lull/hostctl/pacing"
	"lull/hostctl/rig"
)

// query is a pipeline of two programs, for the paper's fifth application.
var query = operator{"where, group-by", "grep | word count", []string{"PIPE"}, 0}

// applications are the five of the paper's figures 6 and 7, as operators.
var applications = append(operators[:len(operators):len(operators)], query)

// background is the job beside which all others are looked at: the most data
// intensive, as in the paper, under control too.
const backgroundRate = 10e6

// learnAll identifies the applications and gives the models to the rig.
func (b *bench) learnAll(ctx context.Context, apps []operator) (steady map[string]float64, err error) {
	steady = map[string]float64{}
	for _, o := range apps {
		learnt, _, err := b.identify(ctx, o)
		if err != nil {
			return nil, err
		}
		if learnt.Refused != "" {
			return nil, errors.New(o.name + " cannot be identified: " + learnt.Refused)
		}
		b.rig.AddModel(o.name, learnt.Model)
		steady[o.name] = learnt.Model.Steady(1)
	}
	return steady, nil
}

// moments are the samples of some runs.
func moments(runs []*rig.Run) (all [][]pacing.Moment) {
	for _, r := range runs {
		list, _ := r.Moments()
		all = append(all, list)
	}
	return all
}

func stopAll(ctx context.Context, runs []*rig.Run) (err error) {
	for _, r := range runs {
		err = errors.Join(err, r.Stop(ctx))
	}
	return err
}
