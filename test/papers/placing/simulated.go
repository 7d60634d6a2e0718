package placing

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"lull/placer/predict"
	"lull/placer/topology"
	"lull/sim"
	"lull/subjects"
	"lull/subjects/spec"
)

// simulate runs the application on the chosen hosts of the pool, with lull's own slotter and agents, and
// returns its seconds from submission to the end of its last task. The event job.placed holds the
// slotter to the hosts; the hosts that were not chosen are idle beside them. Jobs after each other run one by one.
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

// scenario is the application on the pool, submitted after a minute and placed when it is admitted.
func scenario(app *predict.Application, s *predict.Snapshot, hosts []int) sim.Scenario {
	world := sim.Scenario{Seed: 1, Topology: s.Tree, Telemetry: 5 * time.Second, Network: network(s.Tree)}
	for i, offer := range s.Hosts {
		host := sim.Host{Name: s.Tree.Hosts[i].Name, Cores: uint32(offer.Slots), Load: sim.Steady(float64(offer.Slots) - offer.Idle)}
		host.Labels = []string{"rack=" + s.Tree.Racks[s.Tree.Hosts[i].Rack].Name}
		world.Hosts = append(world.Hosts, host)
	}
	world.Jobs = []sim.Job{{At: time.Minute, Spec: document(app)}}
	for i := range app.Stages {
		world.Types = append(world.Types, truth(&app.Stages[i], world.Jobs[0].Spec.Model(i)))
	}
	p := &placer{}
	for _, h := range hosts {
		p.hosts = append(p.hosts, subjects.PlacedHost{Host: s.Tree.Hosts[h].Name, Slots: uint32(s.Hosts[h].Slots)})
	}
	slices.SortFunc(p.hosts, func(a, b subjects.PlacedHost) int { return strings.Compare(a.Host, b.Host) })
	world.Faults, world.Watch = p, p.watch
	return world
}

// placer places each job on the same hosts as soon as it is admitted, whatever lull's own would choose.
type placer struct {
	w     *sim.World
	hosts []subjects.PlacedHost
}

// Begin keeps the world.
func (p *placer) Begin(w *sim.World) { p.w = w }

// Fate lets nothing go wrong.
func (p *placer) Fate(sim.Effect) sim.Fate { return sim.Fate{} }

func (p *placer) watch(_ time.Duration, seq uint64, e subjects.Event) {
	if admitted, ok := e.(*subjects.Admitted); ok {
		_ = p.w.Append(&subjects.Placed{Job: admitted.Job, Hosts: p.hosts, Objective: "fast", Known: seq})
	}
}

// network is what an operator would say of the tree.
func network(tree *topology.Tree) *subjects.Wired {
	wired := &subjects.Wired{}
	for _, r := range tree.Racks {
		wired.Racks = append(wired.Racks, subjects.WiredRack{WiredLink: subjects.WiredLink{Name: r.Name, Up: r.Up, Down: r.Down}})
	}
	slices.SortFunc(wired.Racks, func(a, b subjects.WiredRack) int { return strings.Compare(a.Name, b.Name) })
	return wired
}

// document is the application as a job.
func document(app *predict.Application) spec.Job {
	job := spec.Job{Name: "placed", Type: "placed"}
	for i := range app.Stages {
		s := &app.Stages[i]
		stage := spec.Stage{Name: fmt.Sprintf("s%d", i), Tasks: uint32(s.Tasks), CPU: 1, Memory: 1 << 20, Retries: 3, Bytes: int64(s.Input),
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
