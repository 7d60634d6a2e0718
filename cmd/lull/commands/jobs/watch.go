package jobs

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/draw"
	"lull/cmd/lull/interrupt"
	"lull/subjects"
	"lull/subjects/ledger"
)

type watch struct {
	cli.Connection
	json bool
}

func watchCommand() *cobra.Command {
	var w watch
	cmd := &cobra.Command{
		Use: "watch [JOB]", Short: "Show the progress of a job, or of all open jobs", Args: cli.Wants(0, 1),
		Long: `Show a job until it ends; the exit code is its outcome, as with lull run. Without
JOB, show all open jobs until Ctrl-C. Ctrl-C ends the display and no job.

--json prints the job's events from its submission on, one JSON object a line, and
the same last line as lull run --json.`,
		Example: `  lull watch
  lull watch wordcount-abc`,
		RunE: func(cmd *cobra.Command, args []string) error { return w.run(cmd, args) },
	}
	w.Flags(cmd)
	cmd.Flags().BoolVar(&w.json, "json", false, "print events as JSON lines")
	cmd.ValidArgsFunction = w.CompleteJobs(subjects.OpenJobs)
	return cmd
}

func (w *watch) run(cmd *cobra.Command, args []string) error {
	on := interrupt.Listen(cmd.Context())
	defer on.Stop()
	c, err := w.Connect(on.Asked)
	if err != nil {
		return err
	}
	defer c.Close()
	screen := screenOf(&w.Output, cmd)
	if w.json {
		screen = silent{cmd.ErrOrStderr()}
	}
	defer screen.close()
	f, err := newFollower(on.Asked, c, screen)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return w.all(cmd, on.Asked, f)
	}
	found, err := cli.FindIn(f.view, args[0])
	if err != nil {
		return err
	}
	f.job = found.ID
	return w.one(cmd, on.Asked, c, f)
}

func (w *watch) one(cmd *cobra.Command, ctx context.Context, c *client.Client, f *follower) error {
	if w.json {
		if err := w.past(cmd, ctx, c, f); err != nil {
			return err
		}
		f.view.Each = events(c.Pool(), f.job, cmd.OutOrStdout())
	}
	j, err := f.follow(ctx)
	if err != nil {
		return err
	}
	f.screen.close()
	if err := conclude(ctx, c, f.view, j, form{json: w.json}, w.Out(cmd)); err != nil {
		return err
	}
	return outcome(j.Phase)
}

// past prints what happened to the job up to where the view stands.
func (w *watch) past(cmd *cobra.Command, ctx context.Context, c *client.Client, f *follower) error {
	history, err := c.History(ctx, f.job)
	if err != nil {
		return err
	}
	for _, e := range history {
		if e.Seq <= f.view.State.Seq {
			printEvent(cmd.OutOrStdout(), e)
		}
	}
	return nil
}

// all shows every open job until the user has seen enough.
func (w *watch) all(cmd *cobra.Command, ctx context.Context, f *follower) error {
	if w.json {
		f.view.Each = func(e client.Entry) {
			if e.Change.Outcome != ledger.Void {
				printEvent(cmd.OutOrStdout(), e.Entry)
			}
		}
		return quiet(ctx, f.view.Until(ctx, func() bool { return false }))
	}
	board := &board{follower: f, output: &w.Output, out: w.Out(cmd)}
	if tty, ok := cli.Terminal(cmd.OutOrStdout()); ok {
		return board.draw(ctx, tty)
	}
	_, _ = fmt.Fprintln(board.out, draw.Board(board.views()))
	return board.print(ctx)
}
