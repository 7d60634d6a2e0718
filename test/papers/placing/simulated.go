package placing

import (
	"context"
	"fmt"
	"slices"
	"time"

	"lull/placer/predict"
	"lull/sim"
	"lull/subjects/spec"
)

// simulate runs the application on the chosen hosts of the pool, with lull's own slotter and agents, and
// returns its seconds from submission to the end of its last task. The label placed= holds the slotter to
// the hosts; the hosts that were not chosen are idle beside them. Jobs after each other run one by one.
func simulate(ctx context.Context, app *predict.Application, s *predict.Snapshot, hosts []int) (seconds float64, err error) {
	for _, part := range jobs(app) {
		r, err := sim.Run(ctx, scenario(part, s, hosts))
		if err != nil {
			return 0, err
		}
		j := &r.Jobs[0]
		if j.State != "finished" {
			return 0, fmt.Errorf("simulated %s: %s %s %s", j.Name, j.State, j.Code, j.Why)
		}
		last := time.Duration(0)
		for i := range r.Runs {
			last = max(last, r.Runs[i].End)
		}
		seconds += (last - j.Submitted).Seconds()
	}
	return seconds, nil
}

// jobs cuts an application where a stage only waits for the one before it: there a job ends and the
// next begins.
func jobs(app *predict.Application) (all []*predict.Application) {
	first := 0
	for i := range app.Stages {
		s := app.Stages[i]
		if i > 0 && len(s.From) == 1 && s.From[0].Kind == predict.After {
			first, s.From = i, nil
		}
		if i == first {
			all = append(all, &predict.Application{})
		}
		s.From = slices.Clone(s.From)
		for k := range s.From {
			s.From[k].Stage -= first
		}
		last := all[len(all)-1]
		last.Stages = append(last.Stages, s)
	}
	return all
}

const placed = "placed=here"

// scenario is the application on the pool, submitted after a minute.
func scenario(app *predict.Application, s *predict.Snapshot, hosts []int) sim.Scenario {
	world := sim.Scenario{Seed: 1, Topology: s.Tree, Overhead: time.Millisecond, Telemetry: 5 * time.Second}
	for i := range s.Hosts {
		offer := s.Hosts[i]
		host := sim.Host{Name: s.Tree.Hosts[i].Name, Cores: uint32(offer.Slots), Slots: uint32(offer.Slots), Load: sim.Steady(float64(offer.Slots) - offer.Idle)}
		host.Labels = []string{"rack=" + s.Tree.Racks[s.Tree.Hosts[i].Rack].Name}
		world.Hosts = append(world.Hosts, host)
	}
	for _, h := range hosts {
		world.Hosts[h].Labels = append([]string{placed}, world.Hosts[h].Labels...)
	}
	world.Jobs = []sim.Job{{At: time.Minute, Spec: document(app)}}
	for i := range app.Stages {
		world.Types = append(world.Types, truth(&app.Stages[i], world.Jobs[0].Spec.Model(i)))
	}
	return world
}

// document is the application as a job.
func document(app *predict.Application) spec.Job {
	job := spec.Job{Name: "placed", Type: "placed"}
	for i := range app.Stages {
		s := &app.Stages[i]
		stage := spec.Stage{Name: fmt.Sprintf("s%d", i), Tasks: uint32(s.Tasks), CPU: 1, Memory: 1 << 20, Retries: 3, Bytes: int64(s.Input), Where: []string{placed},
			Estimate: time.Duration((s.Overhead + s.Curve.Seconds(1)) * 1e9)}
		for _, from := range s.From {
			f := spec.From{Stage: uint32(from.Stage), Partition: from.Kind == predict.Part, Element: from.Kind == predict.Same}
			stage.From = append(stage.From, f)
		}
		job.Stages = append(job.Stages, stage)
	}
	return job
}

// truth is how long the stage's tasks take.
func truth(s *predict.Stage, model string) sim.Truth {
	t := sim.Truth{Type: model, Gives: s.Gives}
	for _, residual := range []float64{0.01, 0.03, 0.1, 0.3, 1} {
		t.Points = append(t.Points, sim.Point{Residual: residual, Seconds: s.Overhead + s.Curve.Seconds(residual)})
	}
	return t
}
