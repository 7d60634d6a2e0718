package live

import (
	"context"

	"lull/hostctl/pacing"
	"lull/test/report"
	"lull/test/tables"
)

// figure is a plot of one panel an application, and the rows and checks about it.
type figure struct {
	title string
	slots int   // of the rig
	quick []int // the applications that a quick run takes
	// trace runs one application, whose throughput on a whole core is steady, and returns the parts of its
	// trace with one reference each, and the samples to draw.
	trace func(ctx context.Context, b *bench, app operator, steady float64) ([]stretch, []pacing.Moment, error)
}

// fill makes the figure and adds its rows and checks to a report.
func (f figure) fill(ctx context.Context, o options, r *report.Report) error {
	var panels []panel
	err := withBench(ctx, f.slots, func(b *bench) error {
		apps := tables.Some(o.Quick, applications, f.quick...)
		steady, err := b.learnAll(ctx, apps)
		if err != nil {
			return err
		}
		for _, app := range apps {
			parts, trace, err := f.trace(ctx, b, app, steady[app.name])
			if err != nil {
				return err
			}
			r.Rows = append(r.Rows, controlRows(app, parts)...)
			r.Checks = append(r.Checks, controlChecks(app.name, parts)...)
			panels = append(panels, panel{app.name, trace})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return drawPanels(o.Plot, f.title, panels, r)
}
