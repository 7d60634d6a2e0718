package jobs

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"lull/client"
	"lull/client/progress"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/draw"
	"lull/cmd/lull/commands/echo"
	"lull/subjects"
)

// board shows all open jobs, a line each.
type board struct {
	*follower
	output *cli.Output
	out    io.Writer
}

func (b *board) views() (views []progress.View) {
	for j := range b.view.State.LiveJobs().All() {
		views = append(views, b.view.Progress(j.ID, b.usage))
	}
	return views
}

// draw redraws the board on a terminal until ctx ends.
func (b *board) draw(ctx context.Context, tty *os.File) error {
	painter := b.output.Painter(tty)
	defer painter.Close()
	defer echo.Mute(tty, painter.Close).Restore()
	tick := time.NewTicker(client.Redraw)
	defer tick.Stop()
	for due := true; ; {
		if due {
			painter.Paint(draw.Narrow(draw.Board(b.views()), painter.Width()))
		}
		var err error
		if due, err = b.view.Step(ctx, tick.C); err != nil {
			return unlessInterrupted(ctx, err)
		}
	}
}

// print writes a line for each change of a job's phase until ctx ends.
func (b *board) print(ctx context.Context) error {
	b.view.Each = func(e client.Entry) {
		j := b.view.State.Job(subjects.JobOf(e.Event))
		if j != nil && strings.HasPrefix(subjects.Kind(e.Event), "job.") {
			_, _ = fmt.Fprintln(b.out, progress.Line(progress.Of(b.view.State, j, b.usage.Hosts(), time.Now())))
		}
	}
	return unlessInterrupted(ctx, b.view.Until(ctx, func() bool { return false }))
}

// unlessInterrupted returns nil for the error of a user's Ctrl-C, which ends a display as intended.
func unlessInterrupted(ctx context.Context, err error) error {
	if interrupted(ctx) {
		return nil
	}
	return err
}

func interrupted(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	default:
		return false
	}
}
