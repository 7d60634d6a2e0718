package pure

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"lull/placer/choice"
	"lull/placer/predict"
	"lull/placer/search"
	"lull/subjects/spec"
	"lull/test/papers/placing"
	"lull/test/public"
	"lull/test/report"
	"lull/test/stat"
	"lull/test/tables"
)

// Place measures what it costs to ask where a job would be fastest.
var Place = tables.Table{Name: "place", What: "predictions, searches and a placer of 10,000 hosts", Run: place}

func place(ctx context.Context, quick bool) (*report.Report, error) {
	r := &report.Report{Notes: []string{
		"CPU time of one thread, the least of several rounds. 80 of 800 hosts; RR-R takes four of each of 20 racks, H-2 ten of each of 8.",
		"The paper's prediction of 80 hosts takes 0.96 s. Searches are those of lull placer, its bound and baselines with them.",
	}}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	sorting := placing.Sorting()
	jobs := []question{{"sort", sorting.App, 0.1, 100}, {"drawn DAG, 36 stages", placing.Wide(), 2, 0}}
	if app, err := placing.Widest(); err == nil {
		jobs = append(jobs, question{fmt.Sprintf("TPC-DS plan, %d stages", len(app.Stages)), app, 2, 0})
	} else if !public.Absent(err) {
		return nil, err
	}
	for _, q := range jobs {
		if err := q.measure(ctx, sorting, r, quick); err != nil {
			return nil, err
		}
	}
	hosts := 10_000
	if quick {
		hosts = 500
	}
	return r, placerShare(r, hosts, quick)
}

// question is a job with bounds in ms of a core: of a prediction, and of a search (0 for none).
type question struct {
	name               string
	app                *predict.Application
	predicts, searches float64
}

// measure adds a row of a job.
func (q *question) measure(ctx context.Context, p search.Problem, r *report.Report, quick bool) error {
	rounds, times := 20, 10
	if quick {
		rounds, times = 2, 1
	}
	p.App = q.app
	baselines, err := p.Baselines()
	if err != nil {
		return err
	}
	predictor, err := predict.New(p.App, p.Snapshot)
	if err != nil {
		return err
	}
	cells := report.Row{{Key: "job", Value: q.name}}
	for _, b := range []search.Baseline{baselines[0], baselines[3]} {
		each := least(rounds, func() {
			for range times {
				predictor.Predict(b.Hosts)
			}
		}) / float64(times)
		cells = append(cells, report.Cell{Key: b.Name + "_ms", Value: each})
		r.Checks = append(r.Checks, report.AtMost("ms of a prediction: "+q.name+" on the hosts of "+b.Name, each, q.predicts))
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	evaluations := 0
	ms := least(max(rounds/5, 1), func() {
		answer, failed := choice.Make(choice.Question{App: p.App, Snapshot: p.Snapshot, Wish: spec.PlaceFast, Seed: 1}, choice.InTurn)
		evaluations, err = answer.Evaluations, failed
	})
	if q.searches > 0 {
		r.Checks = append(r.Checks, report.AtMost("ms of a search: "+q.name, ms, q.searches))
	}
	r.Rows = append(r.Rows, append(cells, report.Cell{Key: "search_ms", Value: ms}, report.Cell{Key: "predictions", Value: evaluations}))
	return err
}

// least is the least CPU time of several rounds, in ms.
func least(rounds int, f func()) float64 {
	best := time.Duration(math.MaxInt64)
	for range rounds {
		best = min(best, threadTime(f))
	}
	return stat.Milliseconds(best)
}
