package firstday

import (
	"context"
	"os"
	"runtime"
	"time"

	"lull/client"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/test/report"
)

// marks are the shares of its tasks at which a job's end is asked for; the first is its
// admission.
var marks = [4]float64{0, 0.1, 0.5, 0.9}

// outcome is what became of a job, in seconds from its submission.
type outcome struct {
	took      float64
	predicted [len(marks)]float64 // 0 for not at all
	rejected  bool
	tried     bool
}

func (o outcome) row(name string, level float64, run int) report.Row {
	row := report.Row{
		{Key: "primary_percent", Value: 100 * level}, {Key: "job", Value: name}, {Key: "run", Value: run},
		{Key: "verdict", Value: o.verdict()}, {Key: "took", Value: o.took},
	}
	for i, key := range []string{"admitted", "after_10_percent", "after_50", "after_90"} {
		cell := report.Cell{Key: key, Value: any("-")}
		if o.predicted[i] > 0 {
			cell.Value = o.predicted[i]
		}
		row = append(row, cell)
	}
	return row
}

func (o outcome) verdict() string {
	switch {
	case o.rejected:
		return "rejected"
	case o.tried:
		return "tried"
	}
	return "admitted"
}

// follow submits a job and asks for its end at each mark.
func follow(ctx context.Context, c *client.Client, j job, folder string) (o outcome, err error) {
	doc, err := document(ctx, c, j, folder)
	if err != nil {
		return o, err
	}
	view, err := c.View(ctx)
	if err != nil {
		return o, err
	}
	f := follower{client: c, outcome: &o, begin: time.Now()}
	if f.id, err = c.Submit(ctx, doc, client.NewID()); err != nil {
		return o, err
	}
	view.Each = func(e client.Entry) { f.see(ctx, e) }
	err = view.Until(ctx, func() bool {
		live := view.State.Job(f.id)
		return live != nil && live.Phase.Ended()
	})
	if err != nil {
		return o, err
	}
	return o, f.err
}

// follower folds what the log says of one job.
type follower struct {
	client *client.Client
	id     string
	begin  time.Time
	mark   int // the next
	*outcome
	err error
}

func (f *follower) see(ctx context.Context, e client.Entry) {
	if subjects.JobOf(e.Event) != f.id {
		return
	}
	switch event := e.Event.(type) {
	case *subjects.Trying:
		f.tried = true
	case *subjects.Rejected:
		f.rejected = true
	case *subjects.Admitted:
		f.note(0, time.Unix(0, event.Finish), event.Finish > 0)
	}
	if job := e.Change.Job; job != nil {
		if job.Phase.Ended() {
			f.took = time.Since(f.begin).Seconds()
			return
		}
		f.ask(ctx, done(job))
	}
}

// ask asks for the predicted end at the marks that so much of the job has passed.
func (f *follower) ask(ctx context.Context, share float64) {
	for f.mark = max(f.mark, 1); f.mark < len(marks) && share >= marks[f.mark]; f.mark++ {
		at, err := f.client.Predicted(ctx, f.id)
		if err != nil {
			f.err = err
			return
		}
		f.note(f.mark, at, !at.IsZero())
	}
}

func (f *follower) note(mark int, at time.Time, known bool) {
	if known {
		f.predicted[mark] = at.Sub(f.begin).Seconds()
	}
}

// done is the share of a job's tasks that are done.
func done(j *ledger.Job) float64 {
	all, ended := 0, 0
	for _, st := range j.Stages {
		all, ended = all+st.Len(), ended+st.Done
	}
	return float64(ended) / float64(max(all, 1))
}

// document reads a job's document and looks up its inputs.
func document(ctx context.Context, c *client.Client, j job, folder string) (*spec.Doc, error) {
	if j.prepare != nil {
		if err := j.prepare(folder); err != nil {
			return nil, err
		}
	}
	yaml, err := j.yaml()
	if err != nil {
		return nil, err
	}
	doc, err := spec.Parse([]byte(yaml))
	if err != nil {
		return nil, err
	}
	err = doc.Substitute(func(name string) (string, bool) {
		if name == "GOROOT" {
			return runtime.GOROOT(), true //nolint:staticcheck // the tree that this runs with
		}
		return os.LookupEnv(name)
	})
	if err != nil {
		return nil, err
	}
	return doc, c.Expand(ctx, doc, folder)
}
